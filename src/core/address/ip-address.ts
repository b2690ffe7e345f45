/** An IP address as its bits. An IPv4 address that is written as an IPv6 one (`::ffff:`) is IPv4. */
export interface IpAddress {
  readonly width: 32 | 128;
  readonly bits: bigint;
}

/** The addresses that begin with the same bits. */
export interface IpNetwork extends IpAddress {
  /** How many of the bits count. */
  readonly length: number;
}

/** The longest IPv6 address with brackets, port and quotes; a zone's name may be cut off. */
const TEXT_MAX = 64;
const MAPPED = 0xffffn << 32n;
const LOW_32 = 0xffff_ffffn;

/** Without quotes, brackets, port and zone: what proxies write around an address. */
export const bareAddress = (text: string): string => {
  const plain = text.slice(0, TEXT_MAX).trim().replaceAll('"', "").toLowerCase();
  const bracketed = /^\[([^\]]*)\](:\d{1,5})?$/.exec(plain)?.[1];
  const bare = bracketed ?? plain.replace(/^([\d.]+):\d{1,5}$/, "$1");
  return bare.replace(/%.*$/, "");
};

/** Null for anything but one address in its usual spelling. */
export const parseAddress = (text: string): IpAddress | null => {
  if (text.length > TEXT_MAX) return null;
  const bare = bareAddress(text);
  if (!bare.includes(":")) {
    const bits = ipv4Bits(bare);
    return bits === null ? null : { width: 32, bits };
  }
  const bits = ipv6Bits(bare);
  if (bits === null) return null;
  return bits >> 32n === MAPPED >> 32n ? { width: 32, bits: bits & LOW_32 } : { width: 128, bits };
};

/** `10.0.0.0/8`, `2001:db8::/32`, or an address alone. Null where bits beyond the length are set. */
export const parseNetwork = (text: string): IpNetwork | null => {
  const [head = "", length, ...rest] = text.trim().split("/");
  const address = parseAddress(head);
  if (address === null || rest.length > 0 || bareAddress(head) !== head.toLowerCase()) return null;
  if (length === undefined) return { ...address, length: address.width };
  if (!/^\d{1,3}$/.test(length)) return null;
  // A mapped IPv4 network counts its bits as IPv6 ones.
  const isMapped = address.width === 32 && head.includes(":");
  const count = Number(length) - (isMapped ? 96 : 0);
  if (count < 0 || count > address.width) return null;
  return keepsBits({ ...address, length: count }, address) ? { ...address, length: count } : null;
};

export const isInNetwork = (address: IpAddress, network: IpNetwork): boolean => {
  const rest = BigInt(network.width - network.length);
  return address.width === network.width && address.bits >> rest === network.bits >> rest;
};

/**
 * One client, as far as addresses tell: an IPv4 address, or an IPv6 network of 64 bits, since one
 * client usually has all addresses of such a network. A text that is no address comes back as it
 * is.
 */
export const clientNetwork = (text: string): string => {
  const address = parseAddress(text);
  if (address === null) return text.slice(0, TEXT_MAX);
  return address.width === 32 ? `4/${address.bits}` : `6/${address.bits >> 64n}`;
};

/**
 * The neighbourhood of a client, in which one owner usually has all addresses: 24 bits of an IPv4 address,
 * 48 of an IPv6 one. A text that is no address comes back as it is.
 */
export const widerNetwork = (text: string): string => {
  const address = parseAddress(text);
  if (address === null) return text.slice(0, TEXT_MAX);
  return address.width === 32 ? `4/${address.bits >> 8n}` : `6/${address.bits >> 80n}`;
};

/**
 * `clientNetwork` in a form for people: `203.0.113.7`, `2001:db8:0:1::/64`. Null for what is no
 * address.
 */
export const clientNetworkText = (text: string): string | null => {
  const address = parseAddress(text);
  if (address === null) return null;
  const { bits, width } = address;
  const part = (size: bigint) => (place: number) =>
    (bits >> (BigInt(place) * size)) & ((1n << size) - 1n);
  if (width === 32) return [3, 2, 1, 0].map(part(8n)).join(".");
  const groups = [7, 6, 5, 4].map(part(16n)).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
};

const keepsBits = ({ length }: IpNetwork, { width, bits }: IpAddress): boolean => {
  const rest = BigInt(width - length);
  return (bits >> rest) << rest === bits;
};

/** Four numbers without leading zeros, which some parsers read as octal. */
const ipv4Bits = (text: string): bigint | null => {
  const parts = text.split(".");
  if (parts.length !== 4) return null;
  let bits = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null;
    bits = (bits << 8n) | BigInt(part);
  }
  return bits;
};

const ipv6Bits = (text: string): bigint | null => {
  const halves = withoutIpv4Tail(text)?.split("::") ?? [];
  if (halves.length < 1 || halves.length > 2) return null;
  const [head, tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  if (head === undefined) return null;
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const zeros = Array.from({ length: missing }, () => "0");
  let bits = 0n;
  for (const group of [...head, ...zeros, ...(tail ?? [])]) {
    if (!/^[\da-f]{1,4}$/.test(group)) return null;
    bits = (bits << 16n) | BigInt(`0x${group}`);
  }
  return bits;
};

/** `::ffff:192.0.2.1` with its last part as two groups. */
const withoutIpv4Tail = (text: string): string | null => {
  if (!text.includes(".")) return text;
  const at = text.lastIndexOf(":") + 1;
  const bits = ipv4Bits(text.slice(at));
  if (bits === null) return null;
  return `${text.slice(0, at)}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
};
