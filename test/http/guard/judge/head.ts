// Parses the head of a request line by line according to RFC 9112, or yields the status with which it is refused: the
// portable equivalent of http-guard/request-head.h, and its reference in tests.

/** Most bytes and fields of a head. */
export const HEAD_BYTES_MAX = 32 * 1024;
const FIELDS_MAX = 150;
/** Most fields that the next parser accepts; of more, only those that a route may read are passed on. */
const FIELDS_PASSED_MAX = 96;
const READ =
  /^(host|connection|upgrade|expect|origin|accept|forwarded|(content|transfer|access-control|sec-websocket|x-least|x-forwarded|x-real)-.*|.+-ip):/i;
/** 16 bytes in base64 (RFC 6455, section 4.1). */
const WEBSOCKET_KEY = /^[0-9A-Za-z+/]{22}==$/;
/** Most digits of a length: every such number is exact in all later parsers. */
const LENGTH_DIGITS_MAX = 15;

/** RFC 9110, sections 5.6.2 and 5.5; strings have one character per byte. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const METHODS: ReadonlySet<string> = new Set('GET HEAD POST PUT DELETE OPTIONS PATCH TRACE'.split(' '));
/** RFC 9112, section 3.2.2: what follows scheme and authority is the path. */
const ABSOLUTE = /^https?:\/\/[^/?]+/i;

/** Whether these bytes of a head, without line ends, may occur in a field value. */
export function areValueBytes(text: string): boolean {
  return VALUE.test(text);
}

/** Whether a string is a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The head of a message, as far as its lines have arrived. */
export class Head {
  readonly #lines: string[] = [];
  #isOld = false;
  #isRewritten = false;
  #isUpgrade = false;
  #isUpgradeNamed = false;
  #isVersion13 = false;
  #isKeyValid = false;
  #hasExpect = false;
  #keys = 0;
  #hosts = 0;
  #lengths = 0;
  #codings = 0;
  #length = 0;

  /** The request line has arrived. */
  get isBegun(): boolean {
    return this.#lines.length > 0;
  }

  /** How the end of the body is marked. */
  get body(): 'none' | 'length' | 'chunks' {
    if (this.#codings > 0) return 'chunks';
    return this.#length > 0 ? 'length' : 'none';
  }

  /** Length of a body with Content-Length. */
  get length(): number {
    return this.#length;
  }

  /** Requests a WebSocket (RFC 6455, section 4.2.1); a field that Connection does not name is ignored. */
  get isHandshake(): boolean {
    return this.#lines[0]!.startsWith('GET ') && !this.#isOld && this.#isUpgrade && this.#isUpgradeNamed;
  }

  /** Reads `line`, without its end; returns 0, or the status of the refusal. The first line is the request line. */
  take(line: string): number {
    this.#lines.push(line);
    return this.#lines.length === 1 ? this.#request(line) : this.#field(line);
  }

  /** The empty line has arrived; returns the same as `take`. */
  end(): number {
    if (this.#hosts > 1 || (this.#hosts === 0 && !this.#isOld)) return 400;
    if (this.#lengths + this.#codings > 1 || (this.#isOld && this.#codings > 0)) return 400;
    return this.isHandshake ? this.#handshakeFault() : 0;
  }

  /** The head in the form that the next parser accepts. */
  text(): string {
    const isOther =
      this.#isRewritten ||
      (this.#keys > 0 && !this.isHandshake) ||
      (this.#hasExpect && this.isHandshake) ||
      this.#isCrowded;
    const lines = isOther ? this.#rewritten() : this.#lines;
    return `${lines.join('\r\n')}\r\n\r\n`;
  }

  get #isCrowded(): boolean {
    return this.#lines.length - 1 > FIELDS_PASSED_MAX;
  }

  /** The status with which a handshake is refused: the data after it are frames, so it must not have a body. */
  #handshakeFault(): number {
    if (this.body !== 'none') return 400;
    if (!this.#isVersion13) return 426;
    return this.#keys === 1 && this.#isKeyValid ? 0 : 400;
  }

  #isLeftOut(line: string): boolean {
    if (/^connection:/i.test(line)) return this.#isOld;
    if (/^expect:/i.test(line)) return this.#isOld || this.isHandshake;
    if (/^sec-websocket-key:/i.test(line)) return !this.isHandshake;
    return this.#isCrowded && !READ.test(line);
  }

  #request(line: string): number {
    const [method = '', target = '', ...rest] = line.split(' ');
    const version = rest.join(' ');
    this.#isOld = version === 'HTTP/1.0';
    this.#isRewritten = this.#isOld || !target.startsWith('/');
    // eslint-disable-next-line no-control-regex -- what a target must not have
    if (/[\x00-\x20\x7f]/.test(target) || !TOKEN.test(method) || !/^HTTP\/\d\.\d$/.test(version)) return 400;
    if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') return 505;
    if (!METHODS.has(method)) return 501;
    const isTarget = target.startsWith('/') || ABSOLUTE.test(target) || (target === '*' && method === 'OPTIONS');
    return isTarget ? 0 : 400;
  }

  #field(line: string): number {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, Math.max(colon, 0)), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')];
    if (!TOKEN.test(name) || !VALUE.test(value)) return 400;
    if (this.#lines.length - 1 > FIELDS_MAX) return 431;
    return this.#known(name.toLowerCase(), value);
  }

  #known(name: string, value: string): number {
    switch (name) {
      case 'host':
        this.#hosts++;
        return value === '' ? 400 : 0;
      case 'content-length':
        this.#lengths++;
        this.#length = Number(value);
        return /^\d+$/.test(value) && value.length <= LENGTH_DIGITS_MAX ? 0 : 400;
      case 'transfer-encoding':
        this.#codings++;
        this.#isRewritten ||= value !== 'chunked';
        return value.toLowerCase() === 'chunked' ? 0 : 400;
      case 'connection':
        this.#isUpgradeNamed ||= hasElement(value, 'upgrade');
        return 0;
      case 'upgrade':
        this.#isUpgrade ||= hasElement(value, 'websocket');
        return 0;
      case 'sec-websocket-version':
        this.#isVersion13 = value === '13';
        return 0;
      case 'sec-websocket-key':
        this.#keys++;
        this.#isKeyValid = WEBSOCKET_KEY.test(value);
        return 0;
      case 'expect':
        this.#hasExpect = true;
        return value.toLowerCase() === '100-continue' ? 0 : 417;
      default:
        return 0;
    }
  }

  #rewritten(): readonly string[] {
    const [request = '', ...fields] = this.#lines;
    const [method, target = ''] = request.split(' ');
    const path = target === '*' ? '' : target.replace(ABSOLUTE, '');
    const added = this.#isOld ? ['connection: close', ...(this.#hosts === 0 ? ['host: -'] : [])] : [];
    const kept = fields.filter((line) => !this.#isLeftOut(line));
    const coded = kept.map((line) => (/^transfer-encoding:/i.test(line) ? 'transfer-encoding: chunked' : line));
    return [`${method} ${path.startsWith('/') ? '' : '/'}${path} HTTP/1.1`, ...added, ...coded];
  }
}

/** True if a comma-separated list (RFC 9110, section 5.6.1) contains this element, ignoring case. */
function hasElement(list: string, element: string): boolean {
  return list.split(',').some((each) => each.replace(/^[ \t]+|[ \t]+$/g, '').toLowerCase() === element);
}
