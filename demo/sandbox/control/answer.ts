// How the routes of `/_sandbox` answer.

import { refuse } from '../errors/error-response.ts'
import { Failure } from '../errors/failure.ts'
import { readAs } from '../http/request-body.ts'

import type { Result } from '../errors/failure.ts'
import type { Context } from 'hono'
import type { z } from 'zod'

/**
 * Reads the body of a request, and answers with the result of `apply`. A wrong body and a result that is a failure are
 * refused.
 *
 * @param status The HTTP status of a result that is no failure.
 */
export async function answer<T>(
  c: Context,
  schema: z.ZodType<T>,
  apply: (body: T) => Result<object> | Promise<Result<object>>,
  status: 200 | 202 = 200,
): Promise<Response> {
  const body = await readAs(c.req.raw, schema)
  if (body instanceof Failure) {
    return refuse(body)
  }

  const result = await apply(body)
  if (result instanceof Failure) {
    return refuse(result)
  }
  return Response.json(result, { status })
}

/** @param what What does not exist, such as "account 123". */
export function notFound(what: string): Response {
  return refuse(new Failure('not_found', `There is no ${what}.`))
}
