/**
 * Generates the OpenAPI 3.1 document from the declarations of the routes and the list of event types, and reads the
 * parts of it that the page `/docs` shows.
 */

import type { Hono } from 'hono'
import type { EventSubject, EventType } from '../api/events.ts'
import { generateSpecs } from 'hono-openapi'
import { z } from 'zod'
import { EVENT_TYPES, EVENTS } from '../api/events.ts'
import { version } from '../package.json'
import { TAGS } from './route.ts'

/**
 * Creates the OpenAPI document.
 *
 * @param app The app on which all routes are mounted.
 * @param publicUrl The public URL of this server.
 */
export function createDocument(app: Hono, publicUrl: string) {
  return generateSpecs(app, {
    documentation: {
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
      },
    },
    defaultValidationErrorResponse: false,
  })
}

/**
 * The name of the OpenAPI schema of an event's `data`, by the subject of the event. The subject is the part of the
 * event's `type` before the dot.
 */
const DATA: Readonly<Record<string, string>> = {
  checkout: 'CheckoutView',
  payout: 'TrackedPayout',
  b2b: 'TrackedPayout',
  airtime: 'TrackedRecipient',
  charge: 'TrackedCharge',
} satisfies Record<EventSubject, string>

function webhookOf(type: EventType) {
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
  return { name, in: 'header', required: true, description, schema: { type: 'string' as const }, example }
}

function bodyOf(type: EventType) {
  const [subject = ''] = type.split('.')
  return {
    type: 'object' as const,
    description: `The body of ${type}.`,
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { const: type, description: 'Type of the event.' },
      timestamp: {
        type: 'string' as const,
        format: 'date-time',
        description: 'When the outcome was confirmed. ISO 8601, UTC.',
        examples: ['2026-11-21T09:05:00.000Z'],
      },
      data: { $ref: `#/components/schemas/${DATA[subject]}` },
    },
  }
}

export interface JsonSchema {
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  $ref?: string
  [keyword: string]: unknown
}

const Schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)

const Content = z.record(
  z.string(),
  z.object({
    schema: Schema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ summary: z.string() })).default({}),
  }),
)

const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().default(''),
  security: z.array(z.unknown()).default([]),
  parameters: z.array(
    z.object({ name: z.string(), in: z.string(), description: z.string(), schema: Schema }),
  ),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: Content.default({}) })),
})

const Document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.object({ post: Operation })),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

export type DocumentParts = z.output<typeof Document>

/** An operation with its method and path. For an event, `method` is `EVENT` and `path` is the type of the event. */
export type DescribedOperation = z.output<typeof Operation> & { method: string; path: string }

export function readDocument(document: object): DocumentParts {
  return Document.parse(document)
}

/** Returns the operations of the routes, followed by those of the events. */
export function operationsOf({ paths, webhooks }: DocumentParts): DescribedOperation[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method: method.toUpperCase(), path })),
  )
  return [
    ...routes,
    ...Object.entries(webhooks).map(([path, { post }]) => ({ ...post, method: 'EVENT', path })),
  ]
}
