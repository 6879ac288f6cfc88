// The subset of PromQL that the alerts use: evaluates an expression on the metrics of some instances, now and five
// minutes ago.

type Labels = Readonly<Record<string, string>>;

/** A value with its labels, including `__name__` as long as it belongs to one metric. */
export interface Series {
  readonly labels: Labels;
  readonly value: number;
}

/** Series of all instances at two times. */
export interface History {
  readonly earlier: readonly Series[];
  readonly now: readonly Series[];
}

type Value = number | readonly Series[];

const SPAN_S = 300;
const TOKEN = /\s*(\d+(?:\.\d+)?|[a-z_]\w*|[<>=!]=|=~|"[^"]*"|\[\w+\]|.)/giy;
/** Operators by precedence, lowest first. */
const LEVELS = [['or'], ['and', 'unless'], ['>', '>=', '<', '<=', '==', '!='], ['+', '-'], ['*', '/'], ['^']];

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
};
const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

/** Parses a page of /metrics as the series of an instance. */
export function seriesOf(page: string, labels: Labels): readonly Series[] {
  const lines = [...page.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)];
  return lines.map(([, name, own = '', value]) => {
    const pairs = [...own.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!]);
    return { labels: { __name__: name!, ...labels, ...Object.fromEntries(pairs) }, value: Number(value) };
  });
}

/** The series for which the expression holds, that is, alerts. Throws if the expression uses more than is supported. */
export function evaluate(expression: string, history: History): readonly Series[] {
  const reader = new Reader(expression, history);
  const value = reader.value();
  reader.end();
  return vector(value);
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #history: History;
  #at = 0;

  constructor(text: string, history: History) {
    this.#tokens = [...text.trim().matchAll(TOKEN)].map(([, token]) => token!);
    this.#history = history;
  }

  value(level = 0): Value {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#atom();
    let left = this.value(level + 1);
    while (operators.includes(this.#tokens[this.#at] ?? '')) {
      const operator = this.#take();
      const on = this.#take('on') === null ? null : this.#names();
      left = combined(operator!, left, this.value(level + 1), on);
    }
    return left;
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new Error(`not understood: ${this.#tokens.slice(this.#at).join(' ')}`);
  }

  /** The next token; `null` if it is not the wanted one. */
  #take(wanted?: string): string | null {
    const token = this.#tokens[this.#at] ?? '';
    if (wanted !== undefined && token !== wanted) return null;
    this.#at++;
    return token;
  }

  #expect(token: string): void {
    if (this.#take(token) === null) throw new Error(`no ${token} before ${this.#tokens.slice(this.#at).join(' ')}`);
  }

  #atom(): Value {
    const token = this.#take()!;
    if (token === '(') {
      const inner = this.value();
      this.#expect(')');
      return inner;
    }
    if (/^\d/.test(token)) return Number(token);
    if (token === 'sum') return this.#sum();
    if (token === 'histogram_quantile') return this.#quantile();
    if (['rate', 'increase', 'changes'].includes(token)) return this.#change(token);
    return this.#selected(token, this.#history.now);
  }

  #names(): readonly string[] {
    this.#expect('(');
    const names: string[] = [];
    while (this.#take(')') === null) {
      const name = this.#take()!;
      if (name !== ',') names.push(name);
    }
    return names;
  }

  #sum(): Value {
    const keeps = this.#take('by') !== null;
    if (!keeps) this.#expect('without');
    const names = this.#names();
    const groups = new Map<string, Series>();
    for (const { labels, value } of this.#argument()) {
      const kept = Object.entries(nameless(labels)).filter(([name]) => names.includes(name) === keeps);
      const key = keyOf(Object.fromEntries(kept), null);
      groups.set(key, { labels: Object.fromEntries(kept), value: value + (groups.get(key)?.value ?? 0) });
    }
    return [...groups.values()];
  }

  #argument(): readonly Series[] {
    this.#expect('(');
    const value = vector(this.value());
    this.#expect(')');
    return value;
  }

  #quantile(): Value {
    this.#expect('(');
    const share = this.value() as number;
    this.#expect(',');
    const buckets = vector(this.value());
    this.#expect(')');
    const groups = new Map<string, Series[]>();
    for (const bucket of buckets) {
      const key = keyOf(Object.fromEntries(without(bucket.labels, 'le')), null);
      groups.set(key, [...(groups.get(key) ?? []), bucket]);
    }
    return [...groups.values()].map((group) => {
      const labels = Object.fromEntries(without(group[0]!.labels, 'le'));
      return { labels, value: quantileOf(share, group) };
    });
  }

  /** The change of counters that exist at both times. */
  #change(kind: string): Value {
    this.#expect('(');
    const name = this.#take()!;
    const start = this.#at;
    const now = this.#selected(name, this.#history.now);
    this.#at = start;
    const earlier = new Map(
      this.#selected(name, this.#history.earlier).map((each) => [keyOf(each.labels, null), each]),
    );
    if (!this.#take()!.startsWith('[')) throw new Error(`no span of ${name}`);
    this.#expect(')');
    return now.flatMap(({ labels, value }) => {
      const before = earlier.get(keyOf(labels, null));
      if (before === undefined) return [];
      const growth = value - before.value;
      const reported = { rate: growth / SPAN_S, increase: growth, changes: Number(growth !== 0) }[kind]!;
      return [{ labels: nameless(labels), value: reported }];
    });
  }

  #selected(name: string, all: readonly Series[]): readonly Series[] {
    if (!/^[a-z_]\w+$/i.test(name)) throw new Error(`not understood: ${name}`);
    const tests: ((labels: Labels) => boolean)[] = [(labels) => labels['__name__'] === name];
    if (this.#take('{') !== null) {
      while (this.#take('}') === null) {
        const [label, operator, quoted] = [this.#take()!, this.#take()!, this.#take()!];
        const text = quoted.slice(1, -1);
        if (operator === '=') tests.push((labels) => labels[label] === text);
        else if (operator === '!=') tests.push((labels) => labels[label] !== text);
        else if (operator === '=~') tests.push((labels) => new RegExp(`^(?:${text})$`).test(labels[label] ?? ''));
        else throw new Error(`not understood: ${label}${operator}`);
        this.#take(',');
      }
    }
    return all.filter(({ labels }) => tests.every((matches) => matches(labels)));
  }
}

function vector(value: Value): readonly Series[] {
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

function combined(operator: string, left: Value, right: Value, on: readonly string[] | null): Value {
  const compute = ARITHMETIC[operator];
  if (typeof left === 'number' && typeof right === 'number') return compute!(left, right);
  if (['and', 'unless', 'or'].includes(operator)) return united(operator, vector(left), vector(right), on);
  const pairs = paired(left, right, on);
  if (compute !== undefined) return pairs.map(([labels, a, b]) => ({ labels: nameless(labels), value: compute(a, b) }));
  return pairs.filter(([, a, b]) => COMPARISONS[operator]!(a, b)).map(([labels, value]) => ({ labels, value }));
}

function united(operator: string, left: readonly Series[], right: readonly Series[], on: readonly string[] | null) {
  const keys = (all: readonly Series[]): Set<string> => new Set(all.map(({ labels }) => keyOf(labels, on)));
  if (operator === 'or') return [...left, ...right.filter(({ labels }) => !keys(left).has(keyOf(labels, on)))];
  return left.filter(({ labels }) => keys(right).has(keyOf(labels, on)) === (operator === 'and'));
}

function paired(
  left: Value,
  right: Value,
  on: readonly string[] | null,
): readonly (readonly [labels: Labels, a: number, b: number])[] {
  if (typeof right === 'number') return vector(left).map(({ labels, value }) => [labels, value, right]);
  if (typeof left === 'number') return right.map(({ labels, value }) => [labels, left, value]);
  const others = new Map(right.map(({ labels, value }) => [keyOf(labels, on), value]));
  return left.flatMap(({ labels, value }) => {
    const other = others.get(keyOf(labels, on));
    return other === undefined ? [] : [[labels, value, other] as const];
  });
}

/** Linear interpolation in the bucket that contains the quantile; NaN if nothing was counted, as in Prometheus. */
function quantileOf(share: number, group: readonly Series[]): number {
  const bound = ({ labels }: Series): number => (labels['le'] === '+Inf' ? Infinity : Number(labels['le']));
  const buckets = group.toSorted((a, b) => bound(a) - bound(b));
  const all = buckets.at(-1)!.value;
  if (all === 0) return NaN;
  const at = buckets.findIndex(({ value }) => value >= share * all);
  const [low, below] = at === 0 ? [0, 0] : [bound(buckets[at - 1]!), buckets[at - 1]!.value];
  const high = bound(buckets[at]!);
  return high === Infinity ? low : low + ((high - low) * (share * all - below)) / (buckets[at]!.value - below);
}

function without(labels: Labels, name: string): readonly (readonly [string, string])[] {
  return Object.entries(nameless(labels)).filter(([each]) => each !== name);
}

function nameless(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== '__name__'));
}

function keyOf(labels: Labels, on: readonly string[] | null): string {
  const entries = Object.entries(nameless(labels)).filter(([name]) => on === null || on.includes(name));
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
