// The table of devices, kept up to date by the server's events. Whatever comes from the cluster is set as text, never as markup.

const PREFIX = 'fudo.org/';
const STATUSES = ['available', 'pending', 'assigned', 'expired'];
const RETRY_MILLIS = 2000;
const order = new Intl.Collator('en', {numeric: true});

const byId = (id) => document.getElementById(id);
const body = byId('devices');
const template = byId('row').content.firstElementChild;
const filter = {label: byId('label'), node: byId('node'), status: ''};

/** What is known: device id -> its entry of GET /devices. */
let devices = new Map();
/** What is shown: device id -> {row, text, view}. */
const shown = new Map();

function view(id, device) {
  const assignment = device.assignment;
  return {
    id,
    labels: (device.labels ?? []).map((label) => (label.startsWith(PREFIX) ? label.slice(PREFIX.length) : label)).sort(order.compare),
    node: device.node ?? '-',
    assignment: assignment ? `${assignment.namespace ?? ''}/${assignment.name ?? assignment.uid ?? ''}` : '-',
    status: !assignment ? 'available' : assignment.state === 'proposal' ? 'pending' : assignment['exists?'] ? 'assigned' : 'expired',
  };
}

function fill(row, {id, labels, node, assignment, status}) {
  const [device, labelCell, nodeCell, assignmentCell, statusCell] = row.children;
  row.dataset.device = id;
  device.textContent = id;
  labelCell.textContent = labels.length ? labels.join('\n') : '-';
  nodeCell.textContent = node;
  assignmentCell.textContent = assignment;
  const badge = statusCell.firstElementChild;
  badge.textContent = status;
  badge.className = `status ${status}`;
}

/** Changes only the rows whose device has changed: with thousands of devices most events touch one. */
function render() {
  let reorder = devices.size !== shown.size || shown.size === 0;
  for (const [id, entry] of shown) {
    if (!devices.has(id)) {
      entry.row.remove();
      shown.delete(id);
      reorder = true;
    }
  }
  for (const [id, device] of devices) {
    const text = JSON.stringify(device);
    const before = shown.get(id);
    if (before?.text === text) continue;
    const row = before?.row ?? template.cloneNode(true);
    const now = view(id, device);
    reorder ||= before?.view.node !== now.node;
    fill(row, now);
    if (before) flash(row);
    shown.set(id, {row, text, view: now});
  }
  if (reorder) arrange();
  suggest();
  applyFilter();
}

function arrange() {
  const sorted = [...shown.values()].sort((a, b) => order.compare(a.view.node, b.view.node) || order.compare(a.view.id, b.view.id));
  const rows = document.createDocumentFragment();
  for (const {row} of sorted) rows.append(row);
  if (sorted.length === 0) rows.append(message('No devices discovered.'));
  body.replaceChildren(rows);
}

function message(text) {
  const row = document.createElement('tr');
  row.className = 'none';
  const cell = row.insertCell();
  cell.colSpan = 5;
  cell.textContent = text;
  return row;
}

function flash(row) {
  row.classList.remove('changed');
  requestAnimationFrame(() => row.classList.add('changed'));
}

/** Every word of the label filter must be part of some label; the node filter is part of the node's name. */
function matches({labels, node, status}) {
  const words = filter.label.value.trim().toLowerCase().split(/[\s,]+/).filter(Boolean).map((word) => (word.startsWith(PREFIX) ? word.slice(PREFIX.length) : word));
  return (
    (!filter.status || filter.status === status) &&
    node.toLowerCase().includes(filter.node.value.trim().toLowerCase()) &&
    words.every((word) => labels.some((label) => label.toLowerCase().includes(word)))
  );
}

function applyFilter() {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0]));
  let visible = 0;
  for (const entry of shown.values()) {
    counts[entry.view.status]++;
    const hide = !matches(entry.view);
    if (entry.row.hidden !== hide) entry.row.hidden = hide;
    if (!hide) visible++;
  }
  for (const button of byId('summary').children) {
    button.firstElementChild.textContent = counts[button.dataset.status];
    button.setAttribute('aria-pressed', String(button.dataset.status === filter.status));
  }
  const noun = shown.size === 1 ? 'device' : 'devices';
  byId('shown').textContent = visible === shown.size ? `${visible} ${noun}` : `${visible} of ${shown.size} ${noun}`;
}

function suggest() {
  const views = [...shown.values()].map((entry) => entry.view);
  offer(byId('labels'), new Set(views.flatMap((each) => each.labels)));
  offer(byId('nodes'), new Set(views.map((each) => each.node)));
}

function offer(list, values) {
  const sorted = [...values].sort(order.compare);
  if (sorted.length === list.children.length && sorted.every((value, i) => list.children[i].value === value)) return;
  list.replaceChildren(...sorted.map((value) => Object.assign(document.createElement('option'), {value})));
}

let waiting = false;
function soon() {
  if (waiting) return;
  waiting = true;
  // A hidden page gets no frames, and must not fall behind either.
  const next = document.hidden ? (then) => setTimeout(then, 250) : requestAnimationFrame;
  next(() => {
    waiting = false;
    render();
  });
}

function say(live) {
  const connection = byId('connection');
  const text = live ? 'live' : 'reconnecting';
  if (connection.textContent === text) return;
  connection.textContent = text;
  connection.classList.toggle('live', live);
}

async function look() {
  const response = await fetch('devices', {cache: 'no-store'});
  if (!response.ok) throw new Error(`GET /devices: ${response.status}`);
  devices = new Map(Object.entries(await response.json()));
  soon();
}

/**
 * The server's events: `devices` carries all of them as GET /devices does, `change` only those that changed, null for one that is gone. The
 * browser connects again by itself, and the first event of a connection carries all.
 */
function follow() {
  const stream = new EventSource('devices/stream');
  const all = (event) => {
    devices = new Map(Object.entries(JSON.parse(event.data)));
    say(true);
    soon();
  };
  stream.addEventListener('devices', all);
  stream.addEventListener('message', all);
  stream.addEventListener('change', (event) => {
    for (const [id, device] of Object.entries(JSON.parse(event.data))) {
      if (device === null) devices.delete(id);
      else devices.set(id, device);
    }
    soon();
  });
  stream.addEventListener('error', () => {
    say(false);
    // A server that refuses the stream ends it for good: ask for another one.
    if (stream.readyState === EventSource.CLOSED) setTimeout(follow, RETRY_MILLIS);
  });
}

byId('filter').addEventListener('input', applyFilter);
byId('filter').addEventListener('submit', (event) => event.preventDefault());
byId('summary').addEventListener('click', (event) => {
  const status = event.target.closest('button')?.dataset.status;
  if (!status) return;
  filter.status = filter.status === status ? '' : status;
  applyFilter();
});

look().catch(() => say(false)).finally(follow);
