/** What a check is, and the checks of one field that every request and every answer has. */

import { inspect } from 'node:util'

import { expect } from './expect.ts'
import { isSuccess } from './gateway.ts'
import { readRows } from './specification.ts'

import type { Json } from './connection.ts'
import type { Answer, Gateway, Need } from './gateway.ts'

export interface Check {
  /**
   * Ids of the specification's statements that this check tests. {@link readRows} returns all statements with their
   * ids.
   */
  rows: readonly string[]
  fact: string
  /** Features of the gateway that the check needs. The check is skipped if a feature is missing. */
  needs?: readonly Need[]
  run(gateway: Gateway): Promise<void>
}

export function expectSuccess({ status, text }: Answer): void {
  expect({ status, isSuccess: isSuccess(status) }, text).toEqual({ status, isSuccess: true })
}

export type Rule = (value: Json, sent: Json) => void

export interface Sample {
  sent: Json
  got: Json
}

export function fieldsOf(
  section: string,
  sample: (gateway: Gateway) => Promise<Sample>,
  rules: Record<string, Rule>,
  needs: readonly Need[] = [],
): Check[] {
  return Object.entries(rules).map(([field, rule]) => ({
    rows: [`${section} / ${field}`],
    fact: `${section}: ${field} is present and valid`,
    needs,
    async run(gateway) {
      const { sent, got } = await sample(gateway)
      rule(got?.[field.split(' / ').at(-1) ?? field], sent)
    },
  }))
}

export const text: Rule = (value) => expect(value).toEqual(expect.matching(/\S/))
export const decimalText: Rule = (value) => expect(value).toEqual(expect.matching(/^-?\d+(\.\d+)?$/))
export const amountWithFraction: Rule = (value) => expect(value).toEqual(expect.matching(/^\d+\.\d+$/))
export const number: Rule = (value) => expect(typeof value).toBe('number')
export const list: Rule = (value) => expect(Array.isArray(value)).toBe(true)
export const object: Rule = (value) => expect(value !== null && typeof value === 'object').toBe(true)
export const moment: Rule = (value) =>
  expect(value).toEqual(expect.matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/))
export const echoed =
  (field: string): Rule =>
  (value, sent) =>
    expect(value).toBe(sent[field])
// Trailing zeros may differ.
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
// Any characters may be masked, all or none of them. What is not masked is part of the number. [spec: "may be masked"]
export const masked =
  (field: string): Rule =>
  (value, sent) => {
    text(value, sent)
    for (const part of String(value).split(/[^0-9A-Za-z]|[xX]/)) {
      expect(String(sent[field])).toContain(part)
    }
  }

export interface RequestTable {
  section: string
  /**
   * Builds a valid request, replaces its fields by the fields of the same name in `fields`, and sends the request. The
   * value `undefined` removes a field.
   */
  send(gateway: Gateway, fields: Record<string, unknown>): Promise<Answer>
  accepts(answer: Answer): void
  refuses(answer: Answer): void
}

export async function expectAccepted(table: RequestTable, gateway: Gateway, fields: Record<string, unknown>) {
  const answer = await table.send(gateway, fields)
  table.accepts(answer)
  return answer
}

export async function expectRefused(table: RequestTable, gateway: Gateway, fields: Record<string, unknown>) {
  await gateway.remember(`${table.section} is accepted`, () => expectAccepted(table, gateway, {}))
  const answer = await table.send(gateway, fields)
  table.refuses(answer)
  return answer
}

/**
 * Creates checks for the fields of a request. The gateway must refuse wrong values and missing required fields.
 *
 * @param wrong Wrong values by field name; `null` if the field has no checks.
 * @param conditional Names of fields that only some requests require. The absence of these fields is not checked.
 */
export function fieldChecks(
  table: RequestTable,
  wrong: Record<string, readonly unknown[] | null>,
  conditional: readonly string[] = [],
): Check[] {
  const { section } = table
  const inside = readRows().filter(({ id }) => id.startsWith(`${section} / `))
  const names = new Set(inside.map(({ id }) => id.slice(section.length + 3)))
  const isField = (name: string) => /^[a-z_.[\]]+$/.test(name) && wrong[name] !== null
  return [...names].filter(isField).flatMap((field) => {
    const row = `${section} / ${field}`
    const values = [{}, ...(wrong[field] ?? [])]
    const has = (facet: string) => names.has(`${field} / ${facet}`) && !conditional.includes(field)
    const wrongly: Check = {
      rows: [row],
      fact: `${section}: ${field} is refused as ${values.map((value) => JSON.stringify(value)).join(', ')}`,
      async run(gateway) {
        for (const value of values) {
          await expectRefused(table, gateway, { [field]: value })
        }
      },
    }
    const required: Check = {
      rows: [`${row} / required`],
      fact: `${section}: ${field} is required`,
      run: async (gateway) => void (await expectRefused(table, gateway, { [field]: undefined })),
    }
    const optional: Check = {
      rows: [`${row} / optional`],
      fact: `${section}: ${field} may be missing`,
      run: async (gateway) => void (await expectAccepted(table, gateway, { [field]: undefined })),
    }
    return [wrongly, ...(has('required') ? [required] : []), ...(has('optional') ? [optional] : [])]
  })
}

export function words(
  table: RequestTable,
  field: string,
  wordsAndFields: Record<string, Record<string, unknown>>,
): Check[] {
  return Object.entries(wordsAndFields).map(([word, fields]) => ({
    rows: [`${table.section} / ${field} / ${word}`],
    fact: `${table.section}: ${field} may be ${word} only`,
    async run(gateway) {
      await expectAccepted(table, gateway, { ...fields, [field]: word })
      await expectRefused(table, gateway, { ...fields, [field]: `${word}_X` })
    },
  }))
}

export function codeChecks(
  table: RequestTable,
  cases: readonly (readonly [number, Record<string, unknown>, ...rows: string[]])[],
): Check[] {
  return cases.map(([code, fields, ...rows]) => ({
    rows: [`Checkout errors / ${code}`, ...rows],
    fact: `${table.section}: ${inspect(fields)} is refused with ${code}`,
    run: async (gateway) => expect((await expectRefused(table, gateway, fields)).body.status_code).toBe(code),
  }))
}

export type Ways = Record<number, readonly [means: string, ...scenarios: string[]]>

export function statusChecks(
  section: string,
  subject: string,
  ways: Ways,
  produceStatus: (gateway: Gateway, scenarios: readonly string[]) => Promise<Json>,
): Check[] {
  return Object.entries(ways).map(([code, [means, ...scenarios]]) => ({
    rows: [`${section} / ${code}`],
    fact: `${code}: ${subject} that is ${means}`,
    needs: scenarios.length > 0 ? ['control'] : [],
    run: async (gateway) => expect(await produceStatus(gateway, scenarios)).toBe(Number(code)),
  }))
}
