/** Generates the OpenAPI 3.1 document from the declarations of the routes and the list of event types. */

import type { Hono } from 'hono'
import type { EventType } from '../api/events.ts'
import type { Operation } from './route.ts'
import { EVENT_TYPES, EVENTS } from '../api/events.ts'
import { splitType, SUBJECTS } from '../api/kinds.ts'
import { version } from '../package.json'
import { OPERATIONS, SCHEMAS, TAGS } from './route.ts'

/**
 * Creates the OpenAPI document.
 *
 * @param app The app on which all routes are mounted.
 * @param publicUrl The public URL of this server.
 */
export function createDocument(app: Hono, publicUrl: string) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { path, method, handler } of app.routes) {
    const at = path.replaceAll(/:(\w+)/g, '{$1}')
    const operation = OPERATIONS.get(handler)?.()
    if (operation) paths[at] = { ...paths[at], [method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'gateway-checkout-server',
      version,
      summary: 'Checkouts, charges, payouts and airtime through the payment gateway.',
      description:
        'Routes below /api need the key and answer 404 while MERCHANT_API_KEY is not set. Every failure is a Problem with a stable code.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhookOf(type) }])),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'MERCHANT_API_KEY of this server.' },
      },
      schemas: SCHEMAS,
    },
    paths,
  }
}

export type Document = ReturnType<typeof createDocument>

function webhookOf(type: EventType): Operation {
  return {
    operationId: type,
    tags: ['Events'],
    summary: `Receive ${type}`,
    description: EVENTS[type],
    parameters: [
      header('webhook-id', 'Id of the event, the same for every delivery. Handle each id once.', 'evt_2f9Kq'),
      header('webhook-timestamp', 'Time of the delivery, in seconds since the Unix epoch.', '1795251600'),
      header('webhook-signature', 'Signature by MERCHANT_WEBHOOK_SECRET, after Standard Webhooks.', 'v1,…'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type) } } },
    responses: {
      '2XX': { description: 'Accepted. The event is not sent again.' },
      default: { description: 'Not accepted. The event is sent again, for about five days.' },
    },
  }
}

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}

function bodyOf(type: EventType) {
  const [subject] = splitType(type)
  return {
    type: 'object',
    description: `The body of ${type}.`,
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { const: type, description: 'Type of the event.' },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'When the outcome was confirmed. ISO 8601, UTC.',
        examples: ['2026-11-21T09:05:00.000Z'],
      },
      data: { $ref: `#/components/schemas/${String(SUBJECTS[subject].data.meta()?.ref)}` },
    },
  }
}

/** An operation with its method and path. For an event, `method` is `EVENT` and `path` is the type of the event. */
export type DescribedOperation = Operation & { method: string; path: string }

/** Returns the operations of the routes, followed by those of the events. */
export function operationsOf({ paths, webhooks }: Document): DescribedOperation[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method: method.toUpperCase(), path })),
  )
  return [
    ...routes,
    ...Object.entries(webhooks).map(([path, { post }]) => ({ ...post, method: 'EVENT', path })),
  ]
}
