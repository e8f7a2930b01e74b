/**
 * The error messages of the rules that have no message of their own. Without them, an answer would contain the words of
 * the validation library, such as "Invalid input: expected string, received undefined".
 */

import type { z } from 'zod'

/** Use this in place of `schema.safeParse` wherever a message may reach a client. */
export function safeParse<Output>(schema: z.ZodType<Output>, value: unknown): z.ZodSafeParseResult<Output> {
  const parsed = schema.safeParse(value)
  // Valid values are parsed without the messages, because with them zod takes four times as long.
  return parsed.success ? parsed : explain(schema, value)
}

/** Parses a value that has already failed, for the messages. */
export function explain<Output>(schema: z.ZodType<Output>, value: unknown): z.ZodSafeParseResult<Output> {
  return schema.safeParse(value, { error: messageFor })
}

function messageFor(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : (TYPES[issue.expected] ?? 'has the wrong type')
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `must ${sizeOf(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
    case 'too_big':
      return `must ${sizeOf(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `must not have the fields ${issue.keys.join(', ')}`
    case 'invalid_format':
      return 'has the wrong format'
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    default:
      return 'is not valid'
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  object: 'must be an object',
  record: 'must be an object',
  array: 'must be a list',
  tuple: 'must be a list',
  null: 'must be null',
}

/** The size of a text is its number of characters, of a list its number of items, of a number its value. */
function sizeOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have a length of' : 'be'
}
