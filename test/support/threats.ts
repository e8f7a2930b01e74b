import { readFileSync } from 'node:fs'

/** An attack in the table of `server/THREATS.md`. */
interface Threat {
  attack: string
  /** The test files and folders that try the attack, relative to `test/security/`. */
  triedIn: string[]
}

export function readThreats(): Threat[] {
  const rows = readFileSync('server/THREATS.md', 'utf8').matchAll(
    /^\| (.*?) \| .* \| ((?:`[^`]+`(?:, )?)+) \|$/gm,
  )
  return [...rows].map(([, attack = '', cell = '']) => ({
    attack,
    triedIn: [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  }))
}
