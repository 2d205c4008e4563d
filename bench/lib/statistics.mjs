/** The middle of the values, or the mean of the two in the middle. */
export function median(values) {
  return quantile(values, 0.5);
}

/** The value below which the given share of the values lies, interpolated. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  return below + (above - below) * (at - Math.floor(at));
}

/** The median of the ratios, round by round, because a disturbance in a round affects both of its measurements. */
export function medianRatio(values, baseline) {
  return median(values.map((value, round) => value / baseline[round]));
}

/** As {@link medianRatio}, with the quartiles around it. */
export function ratioWithSpread(values, baseline) {
  const ratios = values.map((value, round) => value / baseline[round]);
  return { ratio: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}
