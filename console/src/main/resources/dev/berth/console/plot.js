// Lines over time as SVG, with a table of the last values for who cannot see them.

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 46;
const BOTTOM = 26;
const TOP = 10;
const STEPS = 480;
const SVG = 'http://www.w3.org/2000/svg';

function shape(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** What a belief says of a run time, as a density over its logarithm. */
function density(belief, seconds) {
  const lognormal = belief.distribution === 'lognormal';
  const off = (lognormal ? Math.log(seconds / belief.centre) : seconds - belief.centre) / belief.spread;
  return (Math.exp(-0.5 * off * off) / belief.spread) * (lognormal ? 1 : seconds);
}

/** A curve for each belief, over the same run times; words: a time for people. */
export function curves(title, beliefs, words) {
  const svg = shape('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': title, class: 'plot'});
  const from = Math.log(Math.max(0.01, Math.min(...beliefs.map((belief) => belief.low))) / 1.5);
  const to = Math.log(Math.max(...beliefs.map((belief) => belief.high)) * 1.5);
  const times = Array.from({length: STEPS + 1}, (_, i) => Math.exp(from + ((to - from) * i) / STEPS));
  const heights = beliefs.map((belief) => times.map((time) => density(belief, time)));
  const top = Math.max(...heights.flat()) || 1;
  const x = (i) => LEFT + (i / STEPS) * (WIDTH - LEFT - 8);
  const y = (value) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  for (const i of [0, 0.25, 0.5, 0.75, 1].map((part) => part * STEPS)) {
    svg.append(shape('line', {x1: x(i), x2: x(i), y1: TOP, y2: HEIGHT - BOTTOM, class: 'grid'}));
    svg.append(shape('text', {x: x(i), y: HEIGHT - 6, 'text-anchor': i === 0 ? 'start' : i === STEPS ? 'end' : 'middle'}, words(times[i])));
  }
  heights.forEach((values, number) => {
    const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`);
    svg.append(shape('polyline', {points: points.join(' '), class: `line tone-${number % 8}`}));
  });
  return svg;
}

/** lines: [{name, values: [number]}], all over the same times; top: the largest value shown; words: a value for people. */
export function plot(title, times, lines, top, words) {
  const svg = shape('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': title, class: 'plot'});
  const x = (i) => LEFT + (times.length < 2 ? 0 : (i / (times.length - 1)) * (WIDTH - LEFT - 8));
  const y = (value) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  for (let tick = 0; tick <= 4; tick++) {
    const value = (top * tick) / 4;
    svg.append(shape('line', {x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value), class: 'grid'}));
    svg.append(shape('text', {x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end'}, words(value)));
  }
  for (const [i, anchor] of [[0, 'start'], [times.length - 1, 'end']]) {
    if (times[i]) svg.append(shape('text', {x: x(i), y: HEIGHT - 6, 'text-anchor': anchor}, times[i].toLocaleTimeString()));
  }
  lines.forEach((line, number) => {
    const points = line.values.map((value, i) => `${x(i).toFixed(1)},${y(Math.min(top, value ?? 0)).toFixed(1)}`);
    svg.append(shape('polyline', {points: points.join(' '), class: `line tone-${number % 8}`}));
  });
  return svg;
}
