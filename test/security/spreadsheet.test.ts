import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { AIRTIME } from '../support/spec-airtime.ts'
import { createTerminal } from '../support/terminal.ts'
import type { Fetch } from '../../server/exchange.ts'
import { readText } from '../../server/exchange.ts'

describe('a list of airtime with a repeated column', () => {
  test.each([
    ['phone_number', 'phone_number,amount,phone_number\n254720000001,10,254720000666\n'],
    ['phone_number', 'phone_number,amount, phone_number \n254720000001,10,254720000666\n'],
    ['phone_number', '"phone_number",amount,"phone_number"\n254720000001,10,254720000001\n'],
    ['amount', 'amount,phone_number,amount\n10,254720000001,10000\n'],
  ])('%s is refused, and sent to nobody', async (column, text) => {
    const { run, file, countRequests } = createTerminal()
    const { code, out, err } = await run(['airtime', 'send', file(text, 'csv')])
    expect([code, out, await countRequests(AIRTIME)]).toEqual([65, '', 0])
    expect(err).toContain(`has more than one column ${column}.`)
  })

  test('of another name is accepted', async () => {
    const { run, file } = createTerminal()
    const text = 'note,phone_number,amount,note\na,254720000001,10,b\n'
    expect((await run(['airtime', 'send', file(text, 'csv'), '--no-wait'])).code).toBe(0)
  })
})

// Japanese editions of spreadsheet programs accept the full-width characters, too.
const STARTS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '−']
const PREFIXES = Object.values({
  ignored: [
    '',
    ' ',
    '\u00a0',
    '\u3000',
    '\ufeff',
    '\u200b',
    '\t',
    '\r',
    '\n',
    ' \n ',
    '\v',
    '\f',
    '\0',
    '\u0085',
    '\u2028',
  ],
  separators: ['x;', 'x; ', 'x,', 'x\t', 'x|', 'x| \t', 'x\n', 'x\r', 'x；', 'x،', 'x，'],
  quotes: ['"', ' " ', 'x;"', 'x;""', 'x";"', "x';"],
}).flat()
const DELIMITERS = [',', ';', '\t', '|', ' ; ', '；', '，']

describe('the results of airtime', () => {
  test.each(STARTS)('have no formula that starts with %s, whatever separates the cells', async (start) => {
    const formulas = PREFIXES.map((prefix) => `${prefix}${start}1+1`)
    const text = await resultsWith(formulas)
    expect(text.match(/1\+1/g)).toHaveLength(2 * formulas.length)
    const options = { relax_quotes: true, relax_column_count: true, skip_empty_lines: true }
    for (const delimiter of DELIMITERS) {
      const rows: string[][] = parse(text, { ...options, delimiter })
      for (const cell of [...rows.flat(), ...text.split('\n').flatMap((line) => line.split(delimiter))])
        expect(cell).not.toMatch(FORMULA)
    }
  })

  test('keep text that is no formula', async () => {
    const texts = ['Sent - done', 'a=b', 'reference 12-34', 'x; y', 'user@example.com']
    const text = await resultsWith(texts)
    for (const each of texts) expect(text).toContain(`,${each},`)
  })
})

const FORMULA = /^[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠﹦﹢﹣﹫−]/u

async function resultsWith(texts: readonly string[]): Promise<string> {
  const { run, file, fetch: fetchGateway } = createTerminal()
  const numbers = texts.map((_, index) => String(254720100001 + index))
  const fetch: Fetch = async (url, init) => {
    const answer = await fetchGateway(url, init)
    if (!/\/airtime\/.*\/status$/.test(url)) return answer
    const entries: Record<string, unknown>[] = JSON.parse((await readText(answer.body, 1_000_000)) ?? '')
    return Response.json(
      entries.map((entry) => {
        const text = texts[numbers.indexOf(String(entry['phone_number']))]
        return { ...entry, message: text, provider_reference: text }
      }),
    )
  }
  const path = file(['phone_number,amount', ...numbers.map((number) => `${number},10`)].join('\n'), 'csv')
  expect((await run(['airtime', 'send', path], { fetch })).code).toBe(0)
  return readFileSync(path.replace('.csv', '.results.csv'), 'utf8')
}
