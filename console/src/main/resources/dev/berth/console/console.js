// Which page is shown. Whatever comes from the cluster is set as text, never as markup.

import {live, onRows, rows} from './rows.js';
import {pages} from './pages.js';

const main = document.getElementById('main');
let current;

/** '#/pod/team/train-0' is the page 'pod' with ['team', 'train-0']. */
function place() {
  const [page, ...rest] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  const name = page || 'cluster';
  return name in pages ? [name, rest] : ['cluster', []];
}

function open(focus) {
  if (location.hash === '#main') return;
  const [name, rest] = place();
  current = pages[name](...rest);
  document.title = `${current.title} - Berth`;
  main.replaceChildren(...current.elements);
  for (const link of document.querySelectorAll('nav a')) {
    if (link.dataset.page === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  current.update?.();
  if (focus) main.focus();
}

let waiting = false;
const gathered = new Set();
function soon(changed) {
  for (const key of changed) gathered.add(key);
  if (waiting) return;
  waiting = true;
  // A hidden page gets no frames, and must not fall behind either.
  const next = document.hidden ? (then) => setTimeout(then, 250) : requestAnimationFrame;
  next(() => {
    waiting = false;
    const keys = new Set(gathered);
    gathered.clear();
    const count = rows.get('cluster')?.waiting;
    document.getElementById('waiting-count').textContent = count ? String(count) : '';
    current?.update?.(keys);
  });
}

function say(connected) {
  const connection = document.getElementById('connection');
  const text = connected ? 'live' : 'reconnecting';
  if (connection.textContent === text) return;
  connection.textContent = text;
  connection.classList.toggle('live', connected);
}

addEventListener('hashchange', () => open(true));
// Times go on, and so do trends, also while nothing changes.
setInterval(() => current?.update?.(new Set()), 5000);
onRows(soon);
open(false);
live(say);
