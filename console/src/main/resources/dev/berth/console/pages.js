// The pages: each gives its title, its elements, and what to do when rows have changed.

import {ask, rows, rowsOf} from './rows.js';
import {curves, plot} from './plot.js';

const order = new Intl.Collator('en', {numeric: true});
const percent = (part) => `${Math.round(part * 100)} %`;
const place = (...parts) => `#/${parts.map(encodeURIComponent).join('/')}`;

/** An element with its properties and children; text is text. */
function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes('-') || key === 'role' || key === 'for') element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

const podLink = (pod) => el('a', {href: place('pod', ...pod.split('/'))}, pod);

// ---- colours: a tone for each value, in the order in which they come

const tones = new Map();
function tone(value) {
  if (!tones.has(value)) tones.set(value, tones.size % 8);
  return `tone-${tones.get(value)}`;
}

const DOORS = ['assigner', 'extender', 'claims', 'pinner', 'outside'];
const COLOURS = {
  model: (device) => tone(`model ${device.model}`),
  door: (device) => (device.byNumber ? `tone-${DOORS.indexOf('outside') + 1}` : device.holders.length ? `tone-${DOORS.indexOf(device.holders[0].door) + 1}` : 'free'),
  fragmentation: (device) => (device.byNumber ? 'full' : device.held === 0 ? 'free' : device.held < 1 ? 'broken' : 'full'),
};

/** What the colours mean, where the list of models does not say it. */
const LEGENDS = {
  model: [],
  door: [...DOORS.map((door, i) => [`tone-${i + 1}`, door]), ['free', 'free']],
  fragmentation: [['full', 'held whole'], ['broken', 'held in part'], ['free', 'free']],
};

function words(device) {
  const who = device.holders.map((each) => `${each.pod} (${each.share}, ${each.door}${each.state === 'assumed' ? ', assumed' : ''})`).join('; ');
  if (device.byNumber) return `${device.id}, ${device.model}: taken by number (which of the GPUs is not known)`;
  return `${device.id}, ${device.model}: ${device.held === 0 ? 'free' : `${percent(device.held)} held by ${who}`}`;
}

// ---- the cluster

const cellsOf = new Map();

function cell(node, device, colour) {
  const link = el('a', {className: `cell ${colour(device)}${device.byNumber ? ' by-number' : ''}`, href: place('device', node, device.id), title: words(device)});
  link.setAttribute('aria-label', words(device));
  const names = Object.keys(device.parts);
  for (const part of names.length ? names.map((name) => device.parts[name]) : [device.held]) {
    const bar = el('i');
    bar.style.setProperty('--held', String(part));
    link.append(bar);
  }
  return link;
}

function cluster() {
  const colours = el('select', {id: 'colour'}, ...Object.keys(COLOURS).map((name) => el('option', {value: name}, name)));
  const search = el('input', {id: 'search', type: 'search', placeholder: 'node, model or pod', autocomplete: 'off'});
  const shown = el('output', {id: 'shown', 'aria-live': 'polite'});
  const models = el('ul', {id: 'models', 'aria-label': 'GPU models'});
  const legend = el('ul', {className: 'legend', 'aria-label': 'What the colours mean'});
  const nodes = el('ul', {id: 'nodes', 'aria-label': 'Nodes and their GPUs'});
  cellsOf.clear();

  function draw(name, row) {
    const item = cellsOf.get(name)?.item ?? el('li', {className: 'node'});
    item.replaceChildren(
      el('h2', {}, name),
      el('p', {className: `state ${row.state === 'ready' ? '' : 'bad'}`}, row.state === 'ready' ? `${row.free} of ${row.devices.length} free` : row.state),
      el('div', {className: 'cells'}, ...row.devices.map((device) => cell(name, device, COLOURS[colours.value]))),
      ...(row.plain ?? []).map((each) => el('p', {className: 'plain'}, podLink(each.pod), ` has ${each.gpus} by number`)),
      ...(row.stray ?? []).map((each) => el('p', {className: 'plain'}, podLink(each.pod), ` holds ${each.device}, which nobody publishes`)),
    );
    const text = [name, row.state, ...row.devices.flatMap((device) => [device.model, device.id, ...device.holders.map((each) => each.pod)])].join(' ').toLowerCase();
    cellsOf.set(name, {item, text});
  }

  function arrange() {
    const sorted = [...cellsOf.keys()].sort(order.compare);
    if (sorted.length === nodes.children.length && sorted.every((name, i) => nodes.children[i] === cellsOf.get(name).item)) return;
    nodes.replaceChildren(...sorted.map((name) => cellsOf.get(name).item));
  }

  function filter() {
    const wanted = search.value.trim().toLowerCase();
    let visible = 0;
    for (const {item, text} of cellsOf.values()) {
      const hide = !text.includes(wanted);
      if (item.hidden !== hide) item.hidden = hide;
      if (!hide) visible++;
    }
    shown.textContent = cellsOf.size === 0 ? 'No node with a GPU is known.' : visible === cellsOf.size ? `${visible} nodes` : `${visible} of ${cellsOf.size} nodes`;
  }

  function summary() {
    legend.hidden = LEGENDS[colours.value].length === 0;
    legend.replaceChildren(...LEGENDS[colours.value].map(([name, text]) => el('li', {className: name}, text)));
    models.replaceChildren(
      ...Object.entries(rows.get('cluster')?.models ?? {}).map(([model, share]) =>
        el('li', {className: colours.value === 'model' ? tone(`model ${model}`) : ''}, el('b', {}, model), ` ${share.devices} GPUs, ${percent(share.allocated)} held, ${percent(share.fragmented)} of the rest fragmented`)),
    );
  }

  function update(keys) {
    for (const [name, row] of rowsOf('node/')) if (!keys || keys.has(`node/${name}`)) draw(name, row);
    for (const name of [...cellsOf.keys()]) if (!rows.has(`node/${name}`)) cellsOf.delete(name);
    arrange();
    filter();
    summary();
  }
  colours.addEventListener('change', () => update());
  search.addEventListener('input', filter);
  return {
    title: 'Cluster',
    elements: [
      el('h1', {}, 'Cluster'),
      models,
      el('form', {className: 'controls', role: 'search', onsubmit: (event) => event.preventDefault()}, el('label', {}, 'Colour by ', colours), el('label', {}, 'Find ', search), shown),
      legend,
      nodes,
    ],
    update,
  };
}

// ---- what waits

function since(text) {
  if (!text) return '';
  const seconds = Math.max(0, Math.round((Date.now() - new Date(text)) / 1000));
  return seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function reasons(door) {
  if (door.answer === 'unusable') return door.why;
  return door.reasons.map((each) => `${each.count} ${each.count === 1 ? 'node' : 'nodes'}: ${each.reason}`).join('; ');
}

function opinion(door) {
  const answer = {fits: `fits on ${door.node}${door.devices?.length ? ` with ${door.devices.join(', ')}` : ''}`, waits: 'fits nowhere', unusable: 'cannot be placed'}[door.answer];
  return el('div', {className: 'opinion'},
    el('p', {}, el('b', {}, door.door), ` (${door.asks}): ${answer}`),
    door.why && door.answer === 'fits' ? el('p', {className: 'faint'}, door.why) : undefined,
    el('p', {}, reasons(door)),
    door.nearest ? el('p', {}, `Nearest: ${door.nearest.node}: ${door.nearest.sentence}`) : undefined,
    door.nearest?.remedy ? el('p', {className: 'remedy'}, `Would help: ${door.nearest.remedy}`) : undefined);
}

function waiting() {
  const list = el('ul', {id: 'waiting', className: 'cards', 'aria-label': 'Pods that wait'});
  const none = el('p', {id: 'none'});
  function update() {
    const found = rowsOf('waiting/').sort((a, b) => order.compare(a[1].since, b[1].since));
    const count = rows.get('cluster')?.waiting ?? 0;
    none.textContent = count === 0 ? 'No pod waits for a GPU.' : found.length < count ? `The first ${found.length} of ${count} are shown.` : '';
    list.replaceChildren(...found.map(([pod, row]) =>
      el('li', {className: 'card'}, el('h2', {}, podLink(pod)), el('p', {className: 'faint'}, `waits for ${since(row.since)}`), ...row.doors.map(opinion))));
  }
  return {title: 'Waiting', elements: [el('h1', {}, 'Waiting pods'), none, list], update};
}

// ---- one pod

function table(caption, heads, lines) {
  return el('table', {}, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', {scope: 'col'}, head)))),
    el('tbody', {}, ...lines.map((line) => el('tr', {}, ...line.map((each) => el('td', {}, each))))));
}

function pod(namespace, name) {
  const body = el('div', {id: 'pod'}, 'Loading');
  async function update(keys) {
    const own = (key) => key === `waiting/${namespace}/${name}` || key.startsWith('node/');
    if (keys && ![...keys].some(own)) return;
    try {
      draw(await ask(`api/pod?namespace=${encodeURIComponent(namespace)}&name=${encodeURIComponent(name)}`));
    } catch (problem) {
      body.replaceChildren(el('p', {}, problem.message));
    }
  }
  function draw(report) {
    const state = report.node ? `on ${report.node}, ${report.phase}` : `waits for ${since(report.since)}`;
    const nodes = report.doors.flatMap((door) => door.reasons.flatMap((group) => Object.entries(group.nodes).map(([node, sentence]) => [door.door, node, sentence])));
    body.replaceChildren(
      el('p', {className: 'state'}, state),
      ...report.doors.map(opinion),
      report.holds.length
        ? table('What it holds', ['Node', 'Device', 'Share', 'Door', 'State'], report.holds.map((held) => [
          held.node, el('a', {href: place('device', held.node, held.device)}, held.device),
          held.share === 'whole' ? 'whole' : Object.entries(held.share).map(([unit, amount]) => `${amount} ${unit}`).join(', '), held.door, held.state]))
        : '',
      nodes.length ? table('What each node lacks', ['Door', 'Node', 'Reason'], nodes.slice(0, 200)) : '',
      table('What was said so far', ['When', 'Reason', 'Note', 'By'], report.events.map((event) => [
        new Date(event.at).toLocaleTimeString(), event.count > 1 ? `${event.reason} (${event.count} times)` : event.reason, event.note, event.by])),
    );
  }
  return {title: `${namespace}/${name}`, elements: [el('h1', {}, `Pod ${namespace}/${name}`), body], update};
}

// ---- one device

function device(node, id) {
  const now = el('div', {id: 'device'});
  const past = el('div');
  async function update(keys) {
    if (keys && !keys.has(`node/${node}`)) return;
    const found = rows.get(`node/${node}`)?.devices.find((each) => each.id === id || each.names.includes(id));
    now.replaceChildren(...(found
      ? [el('p', {}, `${found.model} on ${node}${found.names.length > 1 ? `, also called ${found.names.filter((name) => name !== id).join(' and ')}` : ''}, given out through ${found.doors.join(', ')}: ${found.byNumber ? 'perhaps taken, a pod has GPUs of this node by number' : found.held === 0 ? 'free' : `${percent(found.held)} held`}`),
        ...Object.entries(found.parts).map(([name, part]) => el('p', {}, `${name}: ${percent(part)}`)),
        table('Who holds it', ['Pod', 'Share', 'Door', 'State'], found.holders.map((each) => [podLink(each.pod), each.share, each.door, each.state]))]
      : [el('p', {}, `No device ${id} is known on ${node}.`)]));
    try {
      const {history} = await ask(`api/device?node=${encodeURIComponent(node)}&id=${encodeURIComponent(found?.id ?? id)}`);
      past.replaceChildren(table('Who held it since the console started', ['From', 'Pods'], history.map((each) => [
        new Date(each.at).toLocaleTimeString(), each.pods.length ? each.pods.join(', ') : 'nobody'])));
    } catch (problem) {
      past.replaceChildren(el('p', {}, problem.message));
    }
  }
  return {title: `${node}: ${id}`, elements: [el('h1', {}, `Device ${id}`), now, past], update};
}

// ---- quota

function quota() {
  const body = el('div', {id: 'quota'});
  const gpus = (cores) => (cores / 100).toLocaleString('en', {maximumFractionDigits: 2});
  function update() {
    const found = rowsOf('quota/').map(([, row]) => row);
    body.replaceChildren(found.length
      ? table('GPUs of each model that namespaces use, and may', ['Namespace', 'Model', 'Used', 'Limit', 'Share'], found.map((row) => [
        row.namespace, row.model || '(no model)', gpus(row.used), row.limit === undefined ? 'none' : gpus(row.limit),
        row.limit ? el('meter', {value: row.used, max: row.limit, high: row.limit * 0.9, 'aria-label': `${row.namespace}, ${row.model}`}, percent(row.used / row.limit)) : '']))
      : el('p', {}, 'Nobody holds a part of a GPU, and no quota is set.'));
  }
  return {title: 'Quota', elements: [el('h1', {}, 'Quota'), body], update};
}

// ---- over time

function trends() {
  const body = el('div', {id: 'trends'}, 'Loading');
  let drawn = 0;
  async function update() {
    if (Date.now() - drawn < 4000) return;
    drawn = Date.now();
    const {samples} = await ask('api/trends');
    const times = samples.map((sample) => new Date(sample.at));
    const models = [...new Set(samples.flatMap((sample) => Object.keys(sample.models)))].sort(order.compare);
    const lines = (what) => models.map((model) => ({name: model, values: samples.map((sample) => sample.models[model]?.[what])}));
    const legend = () => el('ul', {className: 'legend'}, ...models.map((model, i) => el('li', {className: `tone-${i % 8}`}, model)));
    const most = Math.max(4, ...samples.map((sample) => sample.waiting));
    body.replaceChildren(
      el('h2', {}, 'Held'), plot('Which part of each GPU model is held', times, lines('allocated'), 1, percent), legend(),
      el('h2', {}, 'Fragmented'), plot('Which part of what is free lies on GPUs that are held in part', times, lines('fragmented'), 1, percent), legend(),
      el('h2', {}, 'Waiting pods'), plot('How many pods wait', times, [{name: 'waiting', values: samples.map((sample) => sample.waiting)}], most, (value) => String(Math.round(value))),
    );
  }
  return {title: 'Trends', elements: [el('h1', {}, 'Since the console started'), body], update};
}

// ---- what the advisor believes

const duration = (seconds) => (seconds < 100 ? `${Number(seconds.toPrecision(2))} s`
  : seconds < 6000 ? `${Number((seconds / 60).toPrecision(2))} min` : `${Number((seconds / 3600).toPrecision(2))} h`);

function job(name, beliefs) {
  const legend = el('ul', {className: 'legend'}, ...beliefs.map((belief, i) => el('li', {className: `tone-${i % 8}`}, belief.gpu_type)));
  return el('section', {}, el('h2', {}, name), curves(`How long ${name} is believed to run on each GPU`, beliefs, duration), legend,
    table(`Run times of ${name}`, ['GPU', 'Runs seen', 'Expected', 'One in ten is below', 'One in ten is above'], beliefs.map((belief) => [
      belief.gpu_type, String(Math.round(belief.runs * 10) / 10), duration(belief.centre), duration(belief.low), duration(belief.high)])));
}

function advisor() {
  const body = el('div', {id: 'beliefs'}, 'Loading');
  let drawn = 0;
  async function update() {
    if (Date.now() - drawn < 4000) return;
    drawn = Date.now();
    let said;
    try {
      said = await ask('api/beliefs');
    } catch (problem) {
      body.replaceChildren(el('p', {}, `What the advisor believes cannot be shown. ${problem.message}`));
      return;
    }
    const jobs = Map.groupBy(said.beliefs, (belief) => belief.job_type);
    body.replaceChildren(...(jobs.size
      ? [...jobs].sort(([one], [other]) => order.compare(one, other)).map(([name, beliefs]) => job(name, beliefs))
      : [el('p', {}, said.model ? 'The advisor has seen no job end yet.' : 'No advisor is asked: give its address with --advisor-url.')]));
  }
  return {title: 'Advisor', elements: [el('h1', {}, 'What the advisor believes'), body], update};
}

export const pages = {cluster, waiting, pod, device, quota, trends, advisor};
