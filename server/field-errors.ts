/** Converts the issues of a zod schema to the field errors of a problem document. */

import type { z } from 'zod'
import type { FieldError } from './api/problem.ts'

/**
 * Returns one error for each invalid field. Each error names the first rule that the field violates.
 *
 * @param toPath Converts the path of an issue to text, such as `recipients[0].amount`.
 */
export function fieldErrorsOf(
  issues: readonly z.core.$ZodIssue[],
  toPath: (path: PropertyKey[]) => string,
): FieldError[] {
  return distinct(issues.map(({ path, message }) => ({ path: toPath(path), message })))
}

export function distinct(errors: readonly FieldError[]): FieldError[] {
  const paths = new Set<string>()
  return errors.filter(({ path }) => paths.size < paths.add(path).size)
}
