// What is known of the cluster: rows by key, kept up to date by the server's events.

const RETRY_MILLIS = 2000;

export const rows = new Map();
const listeners = new Set();
let token = sessionStorage.getItem('token') ?? '';

export const onRows = (listener) => listeners.add(listener);

/** The rows whose key begins with this, in the order of their names. */
export function rowsOf(prefix) {
  const found = [];
  for (const [key, row] of rows) if (key.startsWith(prefix)) found.push([key.slice(prefix.length), row]);
  return found;
}

function tell(changed) {
  for (const listener of listeners) listener(changed);
}

const headers = () => (token ? {Authorization: `Bearer ${token}`} : {});

/** One answer as JSON; asks for a token where one is needed. */
export async function ask(path) {
  const response = await fetch(path, {cache: 'no-store', headers: headers()});
  if (response.status === 401) {
    await login();
    return ask(path);
  }
  if (!response.ok) throw new Error(response.status === 404 ? 'It is not there any more.' : `The server answers ${response.status}.`);
  return response.json();
}

let asking;
function login() {
  const dialog = document.getElementById('login');
  asking ??= new Promise((done) => {
    dialog.addEventListener('close', () => {
      token = document.getElementById('token').value.trim();
      sessionStorage.setItem('token', token);
      asking = undefined;
      done();
    }, {once: true});
    dialog.showModal();
  });
  return asking;
}

function heard(event, data) {
  const changed = new Set();
  if (event === 'rows') {
    for (const key of rows.keys()) if (!(key in data)) changed.add(key);
    for (const key of changed) rows.delete(key);
  }
  for (const [key, row] of Object.entries(data)) {
    changed.add(key);
    if (row === null) rows.delete(key);
    else rows.set(key, row);
  }
  tell(changed);
}

/** Server-sent events by fetch, because an EventSource cannot show a token. */
async function listen(say) {
  const response = await fetch('api/stream', {cache: 'no-store', headers: headers()});
  if (response.status === 401) return login();
  if (!response.ok) throw new Error(`stream: ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return undefined;
    rest += value;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n');
      rest = rest.slice(end + 2);
      const event = lines.find((line) => line.startsWith('event: '))?.slice(7);
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6);
      if (event && data) {
        heard(event, JSON.parse(data));
        say(true);
      }
    }
  }
}

export async function live(say) {
  for (;;) {
    try {
      await listen(say);
    } catch {
      // Tried again below.
    }
    say(false);
    await new Promise((later) => setTimeout(later, RETRY_MILLIS));
  }
}
