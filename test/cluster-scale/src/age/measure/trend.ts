/** How something changes over time, by the median of the slopes between every two samples: a peak among them changes little. */
export interface Trend {
  readonly samples: number;
  readonly mean: number;
  readonly least: number;
  readonly most: number;
  /** From the first sample to the last one, by that slope, in percent of the beginning. */
  readonly changePercent: number;
}

export interface Sample {
  readonly at: number;
  readonly value: number;
}

/** Undefined for fewer than three samples, which say nothing of a trend. */
export function trendOf(samples: readonly Sample[]): Trend | undefined {
  const count = samples.length;
  if (count < 3) return undefined;
  const values = samples.map(({ value }) => value);
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  const change = medianOf(slopes) * ((samples.at(-1) as Sample).at - (samples[0] as Sample).at);
  return {
    samples: count,
    mean: values.reduce((sum, value) => sum + value, 0) / count,
    least: Math.min(...values),
    most: Math.max(...values),
    changePercent: (change / (medianOf(values) - change / 2)) * 100,
  };
}

const medianOf = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
