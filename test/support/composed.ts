import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { systemClock } from '../../server/clock.ts'
import { freePort } from './free-port.ts'
import type { Postgres } from './postgres.ts'

const Service = z.object({
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()), interval: z.string() }),
})
export type Service = z.infer<typeof Service>

export const ORDER_SIGNING_KEY = 'a signing key of at least 32 bytes, for a test'
const POSTGRES_PASSWORD = '0123456789abcdef'
const HEALTHY_MS = 60_000
const CLI = 'server/dist/cli.js'

/** @param given Variables of the shell that starts the services. */
export function readServices(
  ports: Readonly<Record<string, number>> = {},
  given: Readonly<Record<string, string>> = {},
): Record<string, Service> {
  const text = readFileSync('server/compose.yaml', 'utf8')
    .replaceAll(/\$\{ORDER_SIGNING_KEY:[^}]*\}/g, ORDER_SIGNING_KEY)
    .replaceAll(/\$\{POSTGRES_PASSWORD:[^}]*\}/g, POSTGRES_PASSWORD)
    .replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, byDefault: string) => given[name] ?? byDefault)
    .replaceAll('$$', '$')
    .replaceAll(/\b(5432|4010|4021|4022)\b/g, (port) => String(ports[port] ?? port))
  return z.object({ services: z.record(z.string(), Service) }).parse(parse(text, { merge: true })).services
}

export async function startComposed(postgres: Postgres) {
  const ports = {
    4010: await freePort(),
    4021: await freePort(),
    4022: await freePort(),
    5432: postgres.port,
  }
  const services = readServices(ports)
  const {
    POSTGRES_USER: user,
    POSTGRES_PASSWORD: password,
    POSTGRES_DB: database,
  } = services.postgres!.environment
  const admin = `postgres://postgres@127.0.0.1:${postgres.port}/postgres`
  await postgres.run(admin, `CREATE ROLE ${user} LOGIN PASSWORD '${password}'`)
  await postgres.run(admin, `CREATE DATABASE ${database} OWNER ${user}`)
  const processes = new Map<string, ChildProcess>()
  const healthy = new Map<string, Promise<void>>()
  let isStopping = false

  async function start(name: string): Promise<void> {
    const { depends_on, command } = services[name]!
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      await startOnce(needed)
      if (condition === 'service_healthy') await healthy.get(needed)
    }
    if (command && name !== 'postgres') run(name)
    healthy.set(name, untilHealthy(name))
  }

  const started = new Map<string, Promise<void>>()
  function startOnce(name: string): Promise<void> {
    const starting = started.get(name) ?? start(name)
    started.set(name, starting)
    return starting
  }

  function run(name: string): void {
    const { command, environment, restart } = services[name]!
    const env = { PATH: process.env.PATH, ...environment }
    const child = spawn(process.execPath, [CLI, ...command!], { env, stdio: 'ignore' })
    processes.set(name, child)
    child.once('exit', () => {
      if (restart === 'unless-stopped' && !isStopping) run(name)
    })
  }

  async function untilHealthy(name: string): Promise<void> {
    const until = performance.now() + HEALTHY_MS
    while (!(await isHealthy(name))) {
      if (performance.now() > until) throw new Error(`The service ${name} is not healthy.`)
      await systemClock.sleep(100)
    }
  }

  async function isHealthy(name: string): Promise<boolean> {
    const { healthcheck, environment } = services[name]!
    const [kind, command, ...args] = healthcheck.test
    if (kind !== 'CMD') throw new Error(`The health check of ${name} is not a command.`)
    // The image of Postgres contains `pg_isready`, but the tests' Postgres does not.
    if (command === 'pg_isready') {
      const url = `postgres://${args[args.indexOf('-U') + 1]}@127.0.0.1:${postgres.port}/${database}`
      return postgres.run(url, 'SELECT 1').then(
        () => true,
        () => false,
      )
    }
    if (command !== 'node') throw new Error(`The health check of ${name} runs ${command}.`)
    const env = { PATH: process.env.PATH, ...environment }
    const [code] = await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit')
    return code === 0
  }

  async function stop(): Promise<Record<string, number | null>> {
    isStopping = true
    const codes: Record<string, number | null> = {}
    const end = async ([name, child]: [string, ChildProcess]) => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      codes[name] = child.exitCode
    }
    await Promise.all([...processes].map(end))
    return codes
  }

  await Promise.all(Object.keys(services).map(startOnce))
  await Promise.all(healthy.values())
  return {
    services,
    gateway: `http://127.0.0.1:${ports[4010]}`,
    isHealthy,
    untilHealthy,
    async kill(name: string): Promise<void> {
      const child = processes.get(name)!
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    stop,
  }
}
