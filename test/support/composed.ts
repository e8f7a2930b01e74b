import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const Service = z.object({
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }),
})
type Service = z.infer<typeof Service>

export const ORDER_SIGNING_KEY = 'a signing key of at least 32 bytes, for a test'
const POSTGRES_PASSWORD = '0123456789abcdef'

/** @param given Variables of the shell that starts the services. */
export function readServices(given: Readonly<Record<string, string>> = {}): Record<string, Service> {
  const text = readFileSync('server/compose.yaml', 'utf8')
    .replaceAll(/\$\{ORDER_SIGNING_KEY:[^}]*\}/g, ORDER_SIGNING_KEY)
    .replaceAll(/\$\{POSTGRES_PASSWORD:[^}]*\}/g, POSTGRES_PASSWORD)
    .replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, byDefault: string) => given[name] ?? byDefault)
    .replaceAll('$$', '$')
  return z.object({ services: z.record(z.string(), Service) }).parse(parse(text, { merge: true })).services
}
