/** What a gateway is held to: a fact, the rows of the specification that it proves, and the proof. */

import { expect } from 'vitest'
import type { Answer, Gateway, Need } from './gateway.ts'
import type { Json } from './json.ts'

export interface Check {
  /** Ids of {@link readRows}. */
  rows: readonly string[]
  fact: string
  /** Where the gateway lacks one of these, the check is reported instead of run. */
  needs?: readonly Need[]
  run(gateway: Gateway): Promise<void>
}

/** Holds for a value, or throws. `sent` is the request that it answers. */
export type Rule = (value: Json, sent: Json) => void

/** What was sent, and what came of it. */
export interface Sample {
  sent: Json
  got: Json
}

/** One check for each field of a table: the field is there and keeps its rule. */
export function fieldsOf(
  section: string,
  sample: (gateway: Gateway) => Promise<Sample>,
  rules: Record<string, Rule>,
  needs: readonly Need[] = [],
): Check[] {
  return Object.entries(rules).map(([field, rule]) => ({
    rows: [`${section} / ${field}`],
    fact: `${section}: ${field} is there as the table has it`,
    needs,
    async run(gateway) {
      const { sent, got } = await sample(gateway)
      rule(got?.[field.split(' / ').at(-1) ?? field], sent)
    },
  }))
}

export const text: Rule = (value) => expect(value).toEqual(expect.stringMatching(/\S/))
export const decimalText: Rule = (value) => expect(value).toEqual(expect.stringMatching(/^-?\d+(\.\d+)?$/))
export const amountWithFraction: Rule = (value) => expect(value).toEqual(expect.stringMatching(/^\d+\.\d+$/))
export const number: Rule = (value) => expect(value).toBeTypeOf('number')
export const list: Rule = (value) => expect(Array.isArray(value)).toBe(true)
export const object: Rule = (value) => expect(value !== null && typeof value === 'object').toBe(true)
/** ISO 8601. */
export const moment: Rule = (value) =>
  expect(value).toEqual(expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/))
/** The same as in the request. */
export const echoed =
  (field: string): Rule =>
  (value, sent) =>
    expect(value).toBe(sent[field])
/** The same amount as in the request, however many zeros it is written with. */
export const amountOf =
  (field: string): Rule =>
  (value, sent) => {
    decimalText(value, sent)
    expect(Number(value)).toBe(Number(sent[field]))
  }
export const oneOf =
  (...values: readonly Json[]): Rule =>
  (value) =>
    expect(values).toContain(value)
/** May show only the end. [spec: account_number "may be masked"] */
export const masked =
  (field: string): Rule =>
  (value, sent) => {
    text(value, sent)
    expect(value).toHaveLength(sent[field].length)
    expect(value.slice(-3)).toBe(sent[field].slice(-3))
  }

/** How requests of one table are sent, and what tells that the gateway took one or refused it. */
export interface RequestTable {
  section: string
  /** A request that the gateway takes, with some fields changed; what is undefined is left out. */
  send(gateway: Gateway, fields: Record<string, unknown>): Promise<Answer>
  takes(answer: Answer): void
  refuses(answer: Answer): void
}

/** The request with some fields changed is taken. */
export async function expectTaken(table: RequestTable, gateway: Gateway, fields: Record<string, unknown>) {
  const answer = await table.send(gateway, fields)
  table.takes(answer)
  return answer
}

/** The request with some fields changed is refused, where one without the change is taken. */
export async function expectRefused(table: RequestTable, gateway: Gateway, fields: Record<string, unknown>) {
  await gateway.remember(`${table.section} is taken`, () => expectTaken(table, gateway, {}))
  const answer = await table.send(gateway, fields)
  table.refuses(answer)
  return answer
}

/** Text is no object; each field of a request is refused as one. */
export function typed(table: RequestTable, fields: Record<string, readonly unknown[]>): Check[] {
  return Object.entries(fields).map(([field, wrong]) => ({
    rows: [`${table.section} / ${field}`],
    fact: `${table.section}: ${field} is refused as ${[{}, ...wrong].map((value) => JSON.stringify(value)).join(', ')}`,
    async run(gateway) {
      for (const value of [{}, ...wrong]) await expectRefused(table, gateway, { [field]: value })
    },
  }))
}

export function required(table: RequestTable, fields: readonly string[]): Check[] {
  return fields.map((field) => ({
    rows: [`${table.section} / ${field} / required`],
    fact: `${table.section}: ${field} is required`,
    async run(gateway) {
      await expectRefused(table, gateway, { [field]: undefined })
    },
  }))
}

export function optional(table: RequestTable, fields: readonly string[]): Check[] {
  return fields.map((field) => ({
    rows: [`${table.section} / ${field} / optional`],
    fact: `${table.section}: ${field} may be missing`,
    async run(gateway) {
      await expectTaken(table, gateway, { [field]: undefined })
    },
  }))
}

/** Each word of an enum is taken, with the fields that go with it, and a word beside them is refused. */
export function words(
  table: RequestTable,
  field: string,
  wordsAndFields: Record<string, Record<string, unknown>>,
): Check[] {
  return Object.entries(wordsAndFields).map(([word, fields]) => ({
    rows: [`${table.section} / ${field} / ${word}`],
    fact: `${table.section}: ${field} may be ${word}, and nothing like it`,
    async run(gateway) {
      await expectTaken(table, gateway, { ...fields, [field]: word })
      await expectRefused(table, gateway, { ...fields, [field]: `${word}_X` })
    },
  }))
}
