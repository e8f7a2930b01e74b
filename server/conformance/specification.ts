/** Reads the text of the specification, and returns a row for each statement that a check can test. */

import { CLAIMS } from './claims.ts'
import specification from './gateway-service.md?raw'

/**
 * A statement of the specification that a check can test. A statement's id is, for example, "Limits / amount". A rule
 * with several claims has one row for each of them, such as "Events / 1 / three retries".
 */
export interface Row {
  id: string
  section: string
  /** The line of the specification. */
  says: string
}

export { specification }

export function readRows(text: string = specification): Row[] {
  const rows: Row[] = []
  for (const { kind, section, lines, above } of readBlocks(text)) {
    switch (kind) {
      case 'table':
        rows.push(...rowsOfTable(section, lines, above))
        break
      case 'list':
        rows.push(...lines.flatMap((line) => rowsOfItem(section, line)))
        break
      case 'paragraph':
        rows.push(...lines.flatMap((line) => rowsOfParagraph(section, line)))
        break
    }
  }

  return rows
}

export function readParagraphs(text: string = specification): string[] {
  return readBlocks(text).flatMap(({ kind, lines }) => (kind === 'paragraph' ? lines : []))
}

/** A list of fields in a paragraph, such as "Response: payment_id (string), message (string)." */
export const FIELD_LIST =
  /([A-Z][a-z ]+): ((?:[a-z_]+ \((?:string|number|boolean|object|enum)[^)]*\)(?:, )?)+)\.\s*/g

/** Lines of the specification between two empty lines. */
interface Block {
  kind: 'table' | 'list' | 'paragraph'
  section: string
  lines: string[]
  /** The first line of the block before this one, which may be the label of a table. */
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
    if (first.startsWith('#')) {
      heading = nameOf(first.replace(/^#+ /, ''))
    } else {
      blocks.push({
        kind,
        section: kind === 'paragraph' ? heading : (labelIn(above) ?? heading),
        lines,
        above,
      })
    }

    above = first
  }

  return blocks
}

function labelIn(paragraph: string): string | null {
  const label = /^([A-Z][^.:]* [^.:]*):$/.exec(paragraph)?.[1]
  return label === undefined ? null : nameOf(label)
}

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
    const row = { id: `${section} / ${name}`, section, says: cells.join(' | ') }
    // The row of a table is about its field or code. Its claims are in a note.
    return [...withFacets(row, facets), ...claimsOf(row)]
  })
}

function rowsOfItem(section: string, line: string): Row[] {
  const [, number, text = ''] = /^(?:(\d+)\.|-) (.*)$/.exec(line) ?? []
  const name = number ?? text.split(/[:(]|\.$/)[0]?.trim()
  const row = { id: `${section} / ${name}`, section, says: text }
  const claims = claimsOf(row)
  return claims.length > 0 ? claims : [row]
}

function claimsOf(row: Row): Row[] {
  return (CLAIMS[row.id] ?? []).map((claim) => ({ ...row, id: `${row.id} / ${claim.id}` }))
}

function rowsOfParagraph(section: string, line: string): Row[] {
  const fields = [...line.matchAll(FIELD_LIST)].flatMap(([, label, list = '']) =>
    [...list.matchAll(/([a-z_]+) \(([^)]*)\)/g)].flatMap(([, name, type = '']) =>
      withFacets({ id: `${section} / ${label} / ${name}`, section, says: line }, wordsIn(type)),
    ),
  )
  const rules = SENTENCES.filter(({ says }) => line.includes(says))
  return [...fields, ...rules.map(({ id, says }) => ({ id: `${section} / ${id}`, section, says }))]
}

function withFacets(row: Row, facets: (string | false)[]): Row[] {
  const names = facets.filter((facet) => facet !== false)
  return [row, ...names.map((facet) => ({ ...row, id: `${row.id} / ${facet}` }))]
}

function wordsIn(text: string): string[] {
  return text.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? []
}

/** The rules among the sentences, by the ends of their ids. */
export const SENTENCES = Object.entries({
  'status query': 'The checkout status query returns the same payload as the callback.',
  'required fields': 'Which of these are required: not shown.',
  extra_data: 'extra_data carries transaction metadata.',
  split_settlements: 'For split settlements it holds split_settlements, an array of entries:',
  'dynamic accounts': 'Some partner accounts are dynamic and must be included in every request.',
  'all required': 'All fields are required unless noted.',
  'values as strings': 'In the shapes given, all values travel as JSON strings.',
  transitions: 'Transitions: not shown.',
  'not final': 'Statuses 601 and 604 are treated as not final and are re-queried.',
  token: 'All calls except authentication carry the header x-access-token (see Authentication).',
  JSON: 'Request and response bodies are JSON.',
  POST: 'The service sends callbacks (HTTP POST with JSON body) to the merchant.',
  'acknowledged by 200': 'The merchant acknowledges with HTTP 200.',
  'B2B, missing required fields': 'missing required fields',
  'B2B, invalid recipient_type': 'invalid recipient_type',
  'B2B, unreachable callback_url': 'unreachable callback_url',
  'B2B, insufficient funds': 'insufficient funds',
  'B2B, bad token': 'bad token',
  'B2B, wrong payout_reference': 'wrong payout_reference in a status query',
  'B2B, unique payout_reference': 'The payout_reference must be unique or a duplication error results.',
  'error object': 'Error object: status_code, status_description, message.',
  'HTTP status': 'HTTP status is 400 or another 4xx/5xx depending on the error.',
  'unknown id':
    'a status query for an unknown id returns the error object with status_code 120 and a message naming the unknown reference.',
  'unauthorized call': 'An unauthorized call returns 401.',
  'HTTP status codes': 'Full list of HTTP status codes per endpoint: not shown.',
  'airtime error codes': 'Airtime error codes beyond 721: not shown.',
  'rate limits': 'Rate limits: not shown.',
  'payout amounts': 'Minimum and maximum payout amounts: not shown.',
}).map(([id, says]) => ({ id, says }))

/** The paragraphs without a statement that a check could test. */
export const INTRODUCTIONS: readonly string[] = [
  'This document covers the whole service: authentication, exchange rates, hosted checkout, charge requests with split settlements, payouts to mobile money wallets and banks (local and international), business-to-business payouts, bulk airtime, float account balance, callbacks, status codes and errors.',
  'It is the only document.',
  'In the identifiers below the mobile-money operator part is written MOMO.',
  'Address placeholders: {base_url} is the service base address of the environment in use.',
  '{dashboard_url} is the merchant portal address of the environment in use.',
  'The service is a payment gateway for merchants.',
  'It provides:',
  'General behaviour:',
  'Token response fields:',
  'Response:',
  'Payment record (element of payments):',
  'Notes:',
  'Rules:',
  'Inbound calls made by the service to the merchant (callbacks) are listed under Events.',
  'General B2B failure causes:',
]
