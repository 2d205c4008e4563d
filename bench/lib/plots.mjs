// Plots as SVG by hand: no library draws three bars shorter than this. Colours follow the reader's light or dark.
const STYLE = `<style>
  .panel { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e } .grid { stroke: #d1d9e0 } .one { stroke: #59636e }
  .ours { fill: #1a7f37 } .other { fill: #8c959f } .ours-line { stroke: #1a7f37 } .other-line { stroke: #8c959f }
  .ours-too-line { stroke: #0969da } .other-too-line { stroke: #bf8700 }
  .ours-too { fill: #0969da } .other-too { fill: #bf8700 }
  @media (prefers-color-scheme: dark) {
    .panel { fill: #0d1117 } .text { fill: #e6edf3 } .faint { fill: #9198a1 } .grid { stroke: #30363d } .one { stroke: #9198a1 }
    .ours { fill: #3fb950 } .other { fill: #6e7681 } .ours-line { stroke: #3fb950 } .other-line { stroke: #8b949e }
    .ours-too-line { stroke: #4493f8 } .other-too-line { stroke: #d29922 }
    .ours-too { fill: #4493f8 } .other-too { fill: #d29922 }
  }
  text { font: 13px system-ui, sans-serif }
  .title { font-size: 15px; font-weight: 600 }
</style>`;

const WIDTH = 760;
const LABELS = 230;
const ROW = 26;
const TOP = 58;

/**
 * Bars from the top down, on a logarithmic scale where the longest is far from the shortest.
 *
 * @param {{ title: string, subtitle: string, bars: { name: string, value: number, isOurs?: boolean }[] }} plot
 */
export function barPlot({ title, subtitle, bars, isLogarithmic = false }) {
  const height = TOP + bars.length * ROW + 16;
  const room = WIDTH - LABELS - 70;
  const values = bars.map(({ value }) => value);
  const least = Math.min(...values) / 1.6;
  const share = isLogarithmic
    ? (value) => Math.log(value / least) / Math.log(Math.max(...values) / least)
    : (value) => value / Math.max(...values);
  const rows = bars.map(({ name, value, isOurs }, i) => {
    const y = TOP + i * ROW;
    const length = Math.max(2, share(value) * room);
    return `<text class="text" x="${LABELS - 10}" y="${y + 15}" text-anchor="end"${isOurs ? ' font-weight="600"' : ""}>${escapeXml(name)}</text>
<rect class="${isOurs ? "ours" : "other"}" x="${LABELS}" y="${y + 2}" width="${length.toFixed(1)}" height="${ROW - 8}" rx="3"/>
<text class="text" x="${(LABELS + length + 8).toFixed(1)}" y="${y + 15}">${value.toFixed(value < 0.1 ? 3 : 2)}</text>`;
  });
  const one = LABELS + share(1) * room;
  const line = `<line class="one" x1="${one.toFixed(1)}" x2="${one.toFixed(1)}" y1="${TOP - 4}" y2="${height - 12}" stroke-dasharray="3 4"/>`;
  return svg({ title, subtitle, height, content: [...rows, line].join("\n") });
}

/**
 * Lines over named steps, from zero up.
 *
 * @param {{ title: string, subtitle: string, steps: string[], lines: { name: string, style: string, values: number[] }[] }} plot
 */
export function linePlot({ title, subtitle, steps, lines }) {
  const height = 330;
  const bottom = height - 40;
  const right = WIDTH - LABELS - 20;
  const most = Math.max(...lines.flatMap(({ values }) => values)) * 1.08;
  const x = (i) => 60 + (i / (steps.length - 1)) * (right - 60);
  const y = (value) => bottom - (value / most) * (bottom - TOP - 6);
  const ticks = Array.from({ length: Math.floor(most) + 1 }, (_, value) => value).filter(
    (value) => most < 8 || value % 2 === 0,
  );
  const grid = ticks.map(
    (value) =>
      `<line class="grid" x1="60" x2="${right}" y1="${y(value)}" y2="${y(value)}"/><text class="faint" x="50" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  );
  const labels = steps.map(
    (step, i) => `<text class="faint" x="${x(i)}" y="${bottom + 22}" text-anchor="middle">${escapeXml(step)}</text>`,
  );
  const paths = lines.map(({ style, values }) => {
    const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    return `<polyline class="${style}-line" points="${points}" fill="none" stroke-width="2.5" stroke-linejoin="round"/>`;
  });
  const names = apart(lines.map(({ values }) => y(values.at(-1)) + 4)).map(
    (at, i) =>
      `<text class="${lines[i].style}" x="${right + 10}" y="${at.toFixed(1)}">${escapeXml(lines[i].name)}</text>`,
  );
  return svg({ title, subtitle, height, content: [...grid, ...labels, ...paths, ...names].join("\n") });
}

/** Moves labels down until none lies on another. */
function apart(positions) {
  const order = positions.map((_, i) => i).sort((a, b) => positions[a] - positions[b]);
  const moved = [...positions];
  for (let i = 1; i < order.length; i++) moved[order[i]] = Math.max(moved[order[i]], moved[order[i - 1]] + 17);
  return moved;
}

function svg({ title, subtitle, height, content }) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeXml(`${title}: ${subtitle}`)}">
${STYLE}
<rect class="panel" width="${WIDTH}" height="${height}" rx="8"/>
<text class="text title" x="20" y="26">${escapeXml(title)}</text>
<text class="faint" x="20" y="46">${escapeXml(subtitle)}</text>
${content}
</svg>
`;
}

function escapeXml(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
}
