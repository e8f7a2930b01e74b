/**
 * Passes the requests of Node's HTTP server, and of frameworks upon it, to the app. A framework may have read the body
 * already; it is then taken from where the framework keeps it.
 */

import { getRequestListener } from '@hono/node-server'
import { z } from 'zod'

import { refuse } from '../api/refusal.ts'
import { problemDocument } from '../routes/problem.ts'
import { BODY_WAS_READ } from '../routes/request-body.ts'

import type { App } from '../app.ts'
import type { Log } from '../log/log.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request of Node, to which a framework such as Express may have added the parsed body. */
export type NodeRequest = IncomingMessage & {
  /** The body as a framework keeps it: its text, its bytes, or what it has parsed. */
  body?: unknown
  /** The bytes of the body, which a shop keeps beside what it has parsed. */
  rawBody?: unknown
}
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => void

/** The fields of a form, as frameworks parse them: a repeated one has a list. */
const FormFields = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** Returns the handler of an app. Express can `use` it; other frameworks pass it Node's request and response. */
export function toNodeHandler(app: Pick<App, 'fetch'>, publicUrl: string, log: Log): NodeHandler {
  // The framework's own Request and Response stay as they are.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  return (request, response) => {
    if (!request.readableDidRead) {
      return void listener(request, response)
    }

    // The listener takes the body from `rawBody`, if there is one.
    const kept = Buffer.isBuffer(request.rawBody) ? request.rawBody : request.body
    const rawBody = bytesOf(kept, request.headers['content-type'] ?? '')
    if (rawBody !== null) {
      return void listener(Object.assign(request, { rawBody }), response)
    }

    log.error({ path: request.url?.split('?')[0] }, BODY_WAS_READ)
    const problem = problemDocument(refuse('internal', BODY_WAS_READ), publicUrl)
    response.writeHead(problem.status, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify(problem))
  }
}

/**
 * Returns the bytes of a body that was read; `null` if the framework has kept none. A form that was parsed has all its
 * fields. JSON that was parsed has lost those that were named twice, of which one program takes the first, and another
 * the last: it counts as not kept.
 */
function bytesOf(body: unknown, contentType: string): Buffer | null {
  if (Buffer.isBuffer(body)) {
    return body
  }
  if (typeof body === 'string') {
    return Buffer.from(body)
  }
  if (
    typeof body !== 'object' ||
    body === null ||
    !/^application\/x-www-form-urlencoded\b/i.test(contentType)
  ) {
    return null
  }

  const form = new URLSearchParams()
  for (const [name, values] of Object.entries(FormFields.safeParse(body).data ?? {})) {
    for (const value of [values].flat()) {
      form.append(name, value)
    }
  }

  return Buffer.from(form.toString())
}
