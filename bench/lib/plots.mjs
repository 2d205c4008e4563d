// Plots as SVG by hand, because a library would be longer. Colors follow the reader's light or dark scheme.
const STYLE = `<style>
  .panel { fill: #ffffff } .text { fill: #1f2328 } .faint { fill: #59636e } .one { stroke: #59636e }
  .ours { fill: #1a7f37 } .other { fill: #8c959f }
  @media (prefers-color-scheme: dark) {
    .panel { fill: #0d1117 } .text { fill: #e6edf3 } .faint { fill: #9198a1 } .one { stroke: #9198a1 }
    .ours { fill: #3fb950 } .other { fill: #6e7681 }
  }
  text { font: 13px system-ui, sans-serif }
  .title { font-size: 15px; font-weight: 600 }
</style>`;

const WIDTH = 760;
const LABELS = 255;
const ROW = 26;
const TOP = 58;

/**
 * Bars from the top down, on a logarithmic scale on request.
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
