import { spawnSync } from 'node:child_process'

/** Three browsers' worth of download on a slow line. */
const INSTALL_TIMEOUT_MS = 900_000

/** Runs a step of an installation where everybody can see it; whether it went well. */
export function run(command: string, parameters: string[]): boolean {
  console.error(`[browsers] ${command} ${parameters.join(' ')}`)
  const { status } = spawnSync(command, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}
