import type { SeededRandom } from '../support/seeded-random.ts'

/** Texts that parsers may treat specially. */
export const PIECES: readonly string[] = [
  '',
  ' ',
  '\t',
  '\r\n',
  '\0',
  '\u001b[2J',
  '\u009b',
  '\ud800',
  '\udc00',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u2028',
  ...'é 😀 e\u0301 ﷺ ١٢٣ ０ ^ $ % %00 %2e%2e %2F %252f %zz %F0%9F %ED%A0%80 %0d%0a %eth0'.split(' '),
  ...'/ // \\ . .. ? # & = ; , : :: " \' ` < > { } [ ] ( + - _ @ * | [] {}'.split(' '),
  ...'0 00 9 -1 1e400 1e-400 0x10 1,500 9007199254740993 0.1234567890123456789'.split(' '),
  ...'NaN Infinity null undefined true __proto__ constructor toString a A zz en-aa-bb u-nu-'.split(' '),
  ...'<script> javascript: https:// http://user:password@ file:///etc/passwd'.split(' '),
  ...'127.0.0.1 169.254.169.254 [::1] ::ffff:'.split(' '),
]

/** Returns one of the examples, an example with a few changes, or hostile text. At most `most` characters. */
export function textNear(random: SeededRandom, examples: readonly string[], most = 5_000): string {
  const example = random.pick(examples)
  if (random.happens(0.3)) {
    return example
  }
  if (random.happens(0.15)) {
    return repetition(random, example, most)
  }

  let text = random.happens(0.8) ? example : ''
  for (let left = random.between(1, 4); left > 0; left--) {
    text = changed(random, text, examples)
  }

  return text.slice(0, most)
}

export function changed(random: SeededRandom, text: string, examples: readonly string[]): string {
  const start = random.between(0, text.length)
  const end = Math.min(text.length, start + random.between(0, 8))
  return text.slice(0, start) + replacement(random, text.slice(start, end), examples) + text.slice(end)
}

function replacement(random: SeededRandom, part: string, examples: readonly string[]): string {
  const kind = random.between(0, 6)
  if (kind === 0) {
    return ''
  }
  if (kind === 1) {
    return part + part
  }
  if (kind === 2) {
    return part === part.toUpperCase() ? part.toLowerCase() : part.toUpperCase()
  }
  if (kind === 3) {
    return sliceOf(random, random.pick(examples)) + part
  }
  if (kind === 4) {
    return String.fromCharCode(random.between(0, random.happens(0.5) ? 0xff : 0xffff))
  }
  return random.pick(PIECES) + part
}

/** Returns text that repeats a part, with another end. Regular expressions that backtrack take long on such text. */
function repetition(random: SeededRandom, example: string, most: number): string {
  const unit =
    (random.happens(0.5) ? random.pick(PIECES) : sliceOf(random, example)) +
    (random.happens(0.4) ? random.pick(PIECES) : '')
  const start = random.happens(0.5) ? sliceOf(random, example) : random.pick(PIECES)
  const count = (random.happens(0.3) ? most : upTo(random, most)) / Math.max(unit.length, 1)
  return `${start}${unit.repeat(count)}`.slice(0, most - 10) + random.pick(PIECES).slice(0, 10)
}

function sliceOf(random: SeededRandom, text: string): string {
  const start = random.between(0, text.length)
  return text.slice(start, start + random.between(0, 12))
}

/** Returns a number from 1 to `most`; small numbers are as frequent as large ones. */
export function upTo(random: SeededRandom, most: number): number {
  return Math.floor(most ** random.fraction())
}
