/** Paths of which every reader sees the same segments: a proxy or a backend may decode and simplify a path again. Pure. */

/** More encodings within each other are no path that anybody writes. */
const MAX_DECODINGS = 8

/**
 * Returns whether a path has the same segments, and none that leads to another folder, however often it is decoded, and
 * whatever a reader leaves out of a segment or normalizes.
 */
export function isSteadyPath(path: string): boolean {
  const count = path.split('/').length
  let text = path
  for (let round = 0; round <= MAX_DECODINGS; round++) {
    const segments = text.split('/')
    if (segments.length !== count || segments.some(mayLeaveFolder)) {
      return false
    }

    const decoded = decode(text)
    if (decoded === text) {
      return true
    }
    text = decoded
  }

  return false
}

/** What follows these is no part of a segment for some reader: of its parameters, of a query or of a fragment. */
const AFTER_SEGMENT = /[;?#].*/s
/** Parsers of URLs drop some of these, and file systems others. */
const DROPPED = /[\p{Cc}\p{Cf}\p{Z}]/gu

function mayLeaveFolder(segment: string): boolean {
  const plain = segment.normalize('NFKC')
  const rest = plain.replace(AFTER_SEGMENT, '').replaceAll(DROPPED, '')
  return /[/\\]/.test(plain) || rest === '.' || rest === '..'
}

/** Bytes that are no UTF-8 become U+FFFD, and a percent sign alone stays. */
function decode(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) =>
    new TextDecoder().decode(Buffer.from(run.replaceAll('%', ''), 'hex')),
  )
}
