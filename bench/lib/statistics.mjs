/** The middle of the values, or the mean of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/** The median of the ratios, round by round, because a disturbance in a round affects both of its measurements. */
export function medianRatio(values, baseline) {
  return median(values.map((value, round) => value / baseline[round]));
}

/**
 * The middle of several runs, with the least and the greatest.
 *
 * @param {number[]} runs one figure of each run
 */
export function overRuns(runs) {
  return { value: median(runs), least: Math.min(...runs), greatest: Math.max(...runs) };
}

/** The ratio of two lists of rounds, run by run: as many rounds after one another are a run as there are runs. */
export function ratioOverRuns(values, baseline, runs) {
  const rounds = values.length / runs;
  const each = Array.from({ length: runs }, (_, run) => {
    const within = (list) => list.slice(run * rounds, (run + 1) * rounds);
    return medianRatio(within(values), within(baseline));
  });
  return overRuns(each);
}
