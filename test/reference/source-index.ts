// The index of the sources for maintainers: every file with the first sentence of the comment with which it begins.

import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

import { readSources } from '../support/source-tree.ts'

interface SourceRow {
  file: string
  sentence: string
}

/** The comment with which a file begins, as a block or as lines, after what has to stand before it. */
const HEADER =
  /^(?:#!.*\n+)?(?:'use client'\n+)?(?:\/\*\*(?<block>(?:(?!\*\/)[^])*)\*\/|(?<lines>(?:\/\/.*\n)+))/

const FIRST_SENTENCE = /^.*?\.(?= |$)/

/** Returns the rows of each folder, by its path with a slash at its end. A folder stands before those in it. */
export function sourceIndex(): Map<string, SourceRow[]> {
  const rooms = new Map<string, SourceRow[]>()
  for (const { path } of readSources('server', 'widget', 'demo')) {
    const room = `${posix.dirname(path)}/`
    const rows = rooms.get(room) ?? []
    rows.push({ file: posix.basename(path), sentence: firstSentence(readFileSync(path, 'utf8')) })
    rooms.set(room, rows)
  }

  return new Map([...rooms].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns the first sentence of a file's header, or nothing if the file has none. */
function firstSentence(text: string): string {
  const { block, lines } = HEADER.exec(text)?.groups ?? {}
  const marks = block === undefined ? /^\/\/ ?/gm : /^ \* ?/gm
  const comment = (block ?? lines ?? '').replaceAll(marks, '')
  const [sentence = ''] = FIRST_SENTENCE.exec(comment.replaceAll(/\s+/g, ' ').trim()) ?? []
  // A link to a name in the same file leads nowhere from here.
  return sentence.replaceAll(/\{@link (\w+)\}/g, '`$1`')
}
