/** Reads the files of the built widget, and verifies the signatures of its scripts. */

import type { ScriptSignatures } from '../config/script-signatures.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config.ts'
import { isSigned } from './signature.ts'

const NAME = /^gateway-checkout[@\w./-]*\.js(\.map)?$/

/**
 * Returns the text of each file by its name: the scripts and their source maps. The map is empty if the package
 * `gateway-checkout` is not installed. All files are read together, so that a later update of the widget on disk cannot
 * mix files of two versions.
 */
export function readBuiltWidget(): Map<string, string> {
  const folder = findFolder()
  if (folder === null) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => NAME.test(name))
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

export function isScript(name: string): boolean {
  return name.endsWith('.js')
}

/**
 * Checks that every script of the built widget has a valid signature. Without this check, browsers would refuse a
 * script with a wrong signature, and no shopper could pay.
 *
 * @throws {ConfigError} that names each script whose signature is missing or does not match.
 */
export function verifyScripts(
  files: ReadonlyMap<string, string>,
  { integrity, signatures }: ScriptSignatures,
): void {
  const scripts = [...files].filter(([name]) => isScript(name))
  const problems = scripts.flatMap(([name, text]) => {
    const signature = signatures[name]
    if (signature === undefined) return [`has no signature of ${name}`]
    return isSigned(text, integrity, signature) ? [] : [`has a signature that does not match ${name}`]
  })
  if (problems.length === 0) return
  const remedy = 'Sign the scripts of the installed version: gateway-checkout-server script sign.'
  throw new ConfigError(problems.map((problem) => `SCRIPT_SIGNATURES ${problem}. ${remedy}`))
}

/** Returns the folder of the built widget in the package `gateway-checkout`; `null` if the package is not installed. */
function findFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('gateway-checkout/gateway-checkout.js'))
  } catch {
    return null
  }
}
