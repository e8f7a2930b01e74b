/**
 * The rows of the specification, read from its own text: each line of each table, each numbered rule, each item of
 * a list, each field that a sentence lists, and the rules that only a sentence states (see `prose.ts`). A line that
 * says several things at once has a row for each, so that "required", a length or a word of an enum is proved by
 * itself: "Standard checkout request / payer_name / at most 100".
 */

import { readFileSync } from 'node:fs'
import { SENTENCES } from './sentences.ts'

export interface Row {
  id: string
  /** The chapter that it stands in, as a heading or a label names it. */
  section: string
}

export const specification = readFileSync(new URL('gateway-service.md', import.meta.url), 'utf8')

export function readRows(text: string = specification): Row[] {
  const rows: Row[] = []
  for (const { kind, section, lines, above } of readBlocks(text)) {
    switch (kind) {
      case 'table':
        rows.push(...rowsOfTable(section, lines, above))
        break
      case 'list':
        rows.push(...lines.map((line) => rowOfItem(section, line)))
        break
      case 'paragraph':
        rows.push(...lines.flatMap((line) => rowsOfParagraph(section, line)))
        break
    }
  }
  return rows
}

/** Every paragraph that is neither a heading, nor a table, nor a list. */
export function readParagraphs(text: string = specification): string[] {
  return readBlocks(text).flatMap(({ kind, lines }) => (kind === 'paragraph' ? lines : []))
}

/** A sentence that lists fields: "Top level: payout_reference (string), destination (string), data (object)." */
export const FIELD_LIST =
  /([A-Z][a-z ]+): ((?:[a-z_]+ \((?:string|number|boolean|object|enum)[^)]*\)(?:, )?)+)\.\s*/g

interface Block {
  kind: 'table' | 'list' | 'paragraph'
  section: string
  lines: string[]
  /** The paragraph before it. */
  above: string
}

function readBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let above = ''
  for (const chunk of text.split(/\n{2,}/)) {
    const lines = chunk.trim().split('\n')
    const [first = ''] = lines
    const kind = first.startsWith('|') ? 'table' : /^(\d+\.|-) /.test(first) ? 'list' : 'paragraph'
    if (first.startsWith('#')) heading = nameOf(first.replace(/^#+ /, ''))
    else
      blocks.push({
        kind,
        section: kind === 'paragraph' ? heading : (labelIn(above) ?? heading),
        lines,
        above,
      })
    above = first
  }
  return blocks
}

/** "Payment record (element of payments):" names the table below it; "Notes:" does not. */
function labelIn(paragraph: string): string | null {
  const label = /^([A-Z][^.:]* [^.:]*):$/.exec(paragraph)?.[1]
  return label === undefined ? null : nameOf(label)
}

/** "Standard checkout request (POST checkout initiate)" is "Standard checkout request". */
function nameOf(title: string): string {
  return title.replace(/ \(.*$/, '')
}

function rowsOfTable(section: string, lines: string[], above: string): Row[] {
  const [titles = [], , ...body] = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  const areRequired = above.startsWith('All fields are required unless noted')
  return body.flatMap((cells) => {
    const cell = (title: string) => cells[titles.indexOf(title)] ?? ''
    const name = titles[0] === 'Method' ? `${cell('Method')} ${cell('Path')}` : (cells[0] ?? '')
    const required = areRequired ? 'yes' : cell('Required')
    const facets = [
      required.startsWith('yes') && 'required',
      /^(no|optional)\b/.test(required) && 'optional',
      /^\d+$/.test(cell('Max length')) && `at most ${cell('Max length')}`,
      titles[0] === 'Method' && !name.endsWith('/v1/auth') && 'token',
      ...(cell('Type') === 'enum' ? wordsIn(cell('Notes')) : []),
    ]
    return withFacets({ id: `${section} / ${name}`, section }, facets)
  })
}

function rowOfItem(section: string, line: string): Row {
  const [, number, text = ''] = /^(?:(\d+)\.|-) (.*)$/.exec(line) ?? []
  const name = number ?? text.split(/[:(]|\.$/)[0]?.trim()
  return { id: `${section} / ${name}`, section }
}

function rowsOfParagraph(section: string, line: string): Row[] {
  const fields = [...line.matchAll(FIELD_LIST)].flatMap(([, label, list = '']) =>
    [...list.matchAll(/([a-z_]+) \(([^)]*)\)/g)].flatMap(([, name, type = '']) =>
      withFacets({ id: `${section} / ${label} / ${name}`, section }, wordsIn(type)),
    ),
  )
  const rules = SENTENCES.filter(({ says }) => line.includes(says))
  return [...fields, ...rules.map(({ id }) => ({ id: `${section} / ${id}`, section }))]
}

function withFacets(row: Row, facets: (string | false)[]): Row[] {
  const names = facets.filter((facet) => facet !== false)
  return [row, ...names.map((facet) => ({ ...row, id: `${row.id} / ${facet}` }))]
}

/** The words of an enum. */
function wordsIn(text: string): string[] {
  return text.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? []
}
