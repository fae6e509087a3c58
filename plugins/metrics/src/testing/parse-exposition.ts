interface ParsedMetric {
  readonly type: string;
  readonly help: string;
  /** By name and labels, such as `gantry_containers{state="running"}`. */
  readonly samples: Map<string, number>;
}

const head = /^# (HELP|TYPE) ([a-z_][a-z0-9_]*) (.+)$/;
const sample = /^([a-z_][a-z0-9_]*)(\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)$/;

/** Reads the text format of Prometheus, strictly. @throws Error naming the line that cannot be read. */
export function parseExposition(text: string): ReadonlyMap<string, ParsedMetric> {
  if (!text.endsWith('\n')) throw new Error('the last line is not ended');
  const metrics = new Map<string, { type: string; help: string; samples: Map<string, number> }>();
  let current = { type: '', help: '', samples: new Map<string, number>() };
  let name = '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, of = '', rest = ''] = head.exec(line) ?? [];
    if (kind === 'HELP') {
      if (metrics.has(of)) throw new Error(`${of} is described twice`);
      name = of;
      current = { type: '', help: rest, samples: new Map() };
      metrics.set(of, current);
    } else if (kind === 'TYPE' && of === name) {
      current.type = rest;
    } else {
      const [, of = '', labels = '', value = ''] = sample.exec(line) ?? [];
      const isOwn = of === name || (current.type === 'histogram' && of.replace(/_(?:bucket|sum|count)$/, '') === name);
      if (!isOwn || Number.isNaN(Number(value.replace('+Inf', 'Infinity')))) throw new Error(`cannot read "${line}"`);
      if (current.samples.has(of + labels)) throw new Error(`"${of + labels}" has two values`);
      current.samples.set(of + labels, Number(value));
    }
  }
  return metrics;
}
