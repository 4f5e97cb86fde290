// Lines over time as SVG, with a table of the last values for who cannot see them.

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 46;
const BOTTOM = 26;
const TOP = 10;
const SVG = 'http://www.w3.org/2000/svg';

function shape(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
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
