/** The type of a check, and functions that create the checks of single fields, words and codes. */

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
  /** What the check shows if it passes, for people. */
  fact: string
  /** Features of the gateway that the check needs. The check is skipped if a feature is missing. */
  needs?: readonly Need[]
  run(gateway: Gateway): Promise<void>
}

export function expectSuccess({ status, text }: Answer): void {
  expect({ status, isSuccess: isSuccess(status) }, text).toEqual({ status, isSuccess: true })
}

/** Throws unless the value of a field is right in an answer to the request `sent`. */
export type Rule = (value: Json, sent: Json) => void

export interface Sample {
  /** The body of a request. */
  sent: Json
  /** The body of an answer about it. */
  got: Json
}

/** Creates a check for each field of an answer, or of a part of it that `sample` resolves with. */

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
      const name = field.split(' / ').at(-1) ?? field
      rule(got?.[name], sent)
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
/** The value that the field `field` of the request had. */
export const echoed =
  (field: string): Rule =>
  (value, sent) =>
    expect(value).toBe(sent[field])
/** The amount that the field `field` of the request had; trailing zeros may differ. */
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
// Any characters may be masked by a sign or an x. Those that are not must be in the number. [spec: "may be masked"]
export const masked =
  (field: string): Rule =>
  (value, sent) => {
    text(value, sent)
    for (const part of String(value).split(/[^0-9A-Za-z]|[xX]/)) {
      expect(String(sent[field])).toContain(part)
    }
  }

/** A request whose fields are tested: each is changed in a request that is otherwise valid. */
export interface TestedRequest {
  /** The section of the specification that lists the fields. */
  section: string
  /** Sends a valid request with some fields changed. The value `undefined` removes a field. */
  send(gateway: Gateway, changes: Record<string, unknown>): Promise<Answer>
  assertAccepted(answer: Answer): void
  assertRefused(answer: Answer): void
}

export async function expectAccepted(
  tested: TestedRequest,
  gateway: Gateway,
  changes: Record<string, unknown>,
): Promise<Answer> {
  const answer = await tested.send(gateway, changes)
  tested.assertAccepted(answer)
  return answer
}

/** Before, the request must be accepted without the changes: otherwise, a refusal shows nothing about them. */
export async function expectRefused(
  tested: TestedRequest,
  gateway: Gateway,
  changes: Record<string, unknown>,
): Promise<Answer> {
  await gateway.remember(`${tested.section} is accepted`, () => expectAccepted(tested, gateway, {}))
  const answer = await tested.send(gateway, changes)
  tested.assertRefused(answer)
  return answer
}

/**
 * Creates checks for the fields of a request. The gateway must refuse wrong values and missing required fields.
 *
 * @param wrong Wrong values by field name; `null` if the field has no checks.
 * @param conditional Names of fields that only some requests require. The absence of these fields is not checked.
 */
export function fieldChecks(
  tested: TestedRequest,
  wrong: Record<string, readonly unknown[] | null>,
  conditional: readonly string[] = [],
): Check[] {
  const { section } = tested
  const prefix = `${section} / `
  const inside = readRows().filter(({ id }) => id.startsWith(prefix))
  const names = new Set(inside.map(({ id }) => id.slice(prefix.length)))
  const isField = (name: string) => /^[a-z_.[\]]+$/.test(name) && wrong[name] !== null
  return [...names].filter(isField).flatMap((field) => {
    const row = `${section} / ${field}`
    const values = [{}, ...(wrong[field] ?? [])]
    const has = (facet: string) => names.has(`${field} / ${facet}`) && !conditional.includes(field)
    const wrongValues: Check = {
      rows: [row],
      fact: `${section}: ${field} is refused as ${values.map((value) => JSON.stringify(value)).join(', ')}`,
      async run(gateway) {
        for (const value of values) {
          await expectRefused(tested, gateway, { [field]: value })
        }
      },
    }
    const required: Check = {
      rows: [`${row} / required`],
      fact: `${section}: ${field} is required`,
      run: async (gateway) => void (await expectRefused(tested, gateway, { [field]: undefined })),
    }
    const optional: Check = {
      rows: [`${row} / optional`],
      fact: `${section}: ${field} may be missing`,
      run: async (gateway) => void (await expectAccepted(tested, gateway, { [field]: undefined })),
    }
    return [wrongValues, ...(has('required') ? [required] : []), ...(has('optional') ? [optional] : [])]
  })
}

/** Checks for the words that a field may have, each with the changes that make the request valid with it. */
export function words(
  tested: TestedRequest,
  field: string,
  changesOfWords: Record<string, Record<string, unknown>>,
): Check[] {
  return Object.entries(changesOfWords).map(([word, changes]) => ({
    rows: [`${tested.section} / ${field} / ${word}`],
    fact: `${tested.section}: ${field} may be ${word} only`,
    async run(gateway) {
      await expectAccepted(tested, gateway, { ...changes, [field]: word })
      await expectRefused(tested, gateway, { ...changes, [field]: `${word}_X` })
    },
  }))
}

/** Checks for the code of a refusal: the code, the changes that cause it, and further rows that the check tests. */
export function codeChecks(
  tested: TestedRequest,
  cases: readonly (readonly [number, Record<string, unknown>, ...rows: string[]])[],
): Check[] {
  return cases.map(([code, changes, ...rows]) => ({
    rows: [`Checkout errors / ${code}`, ...rows],
    fact: `${tested.section}: ${inspect(changes)} is refused with ${code}`,
    async run(gateway) {
      const { body } = await expectRefused(tested, gateway, changes)
      expect(body.status_code).toBe(code)
    },
  }))
}

/** What each status means, and the scenarios of the sandbox that lead to it, one after another. */
export type Ways = Record<number, readonly [means: string, ...scenarios: string[]]>

/** Creates a check for each status. Without scenarios, a status is that of a new transaction. */
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
