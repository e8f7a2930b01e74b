/** The commands `script keygen` and `script sign`, which sign the widget's scripts on a machine without the server. */

import type { Command } from 'commander'
import type { KeyObject } from 'node:crypto'
import type { ScriptSignatures } from '../config/script-signatures.ts'
import type { Shell } from './shell.ts'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { isScript, readBuiltWidget } from '../scripts/built-widget.ts'
import { integrityOf, signScript } from '../scripts/signature.ts'
import { addCommand } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

const OWNER_ONLY = 0o600
const GROUP_AND_OTHERS = 0o077

export function addScript(program: Command, shell: Shell): void {
  const script = program.command('script').description("sign the widget's scripts")
  addCommand(script, 'keygen', 'create a private key for signatures', 'script keygen script-key.pem')
    .argument('<file>', 'the new file of the private key')
    .action((file: string) => generateKey(shell, file))
  addCommand(
    script,
    'sign',
    "sign the widget's scripts; the server does not need the private key",
    'script sign script-key.pem script-signatures.json',
  )
    .argument('<key>', 'the file of the private key')
    .argument('<file>', 'the file of the signatures, which is replaced')
    .action((key: string, file: string) => signScripts(shell, key, file))
}

function generateKey(shell: Shell, file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  // The flag wx refuses to overwrite a key, because pages that name its public key would refuse every later script.
  writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: OWNER_ONLY, flag: 'wx' })
  shell.print(`${file} is a new private key. Keep it away from the server.`)
  shell.print(`Its script tags have integrity="${integrityOf(privateKey)}".`)
}

function signScripts(shell: Shell, keyFile: string, file: string): void {
  const privateKey = readKey(keyFile)
  const scripts = [...readBuiltWidget()].filter(([name]) => isScript(name))
  if (scripts.length === 0)
    throw new CommandFailure(EXIT.noInput, 'The package gateway-checkout is not installed: nothing to sign.')
  const signed: ScriptSignatures = {
    integrity: integrityOf(privateKey),
    signatures: Object.fromEntries(scripts.map(([name, text]) => [name, signScript(text, privateKey)])),
  }
  writeFile(file, `${JSON.stringify(signed, null, 2)}\n`)
  shell.print(`${file} has the signatures of ${scripts.length} scripts.`)
  shell.print(`Set SCRIPT_SIGNATURES_FILE=${file} for the server.`)
  shell.print(`Then add integrity="${signed.integrity}" and crossorigin to the script tag.`)
}

/** @throws {CommandFailure} if the file is not an Ed25519 private key, or if another user can read it. */
function readKey(file: string): KeyObject {
  const { text, mode } = readWithMode(file)
  if (process.platform !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0)
    throw new CommandFailure(EXIT.data, `Others can read ${file}: run chmod 600, or create another key.`)
  const key = parseKey(text)
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new CommandFailure(EXIT.data, `${file} must contain an Ed25519 private key in PEM (PKCS #8).`)
  return key
}

function parseKey(text: string): KeyObject | null {
  try {
    return createPrivateKey(text)
  } catch {
    return null
  }
}

function readWithMode(file: string): { text: string; mode: number } {
  try {
    return { text: readFileSync(file, 'utf8'), mode: statSync(file).mode }
  } catch (cause) {
    throw new CommandFailure(EXIT.noInput, `${file} cannot be read.`, { cause })
  }
}

function writeFile(
  file: string,
  text: string | Buffer,
  options: { mode?: number; flag?: string } = {},
): void {
  try {
    writeFileSync(file, text, options)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandFailure(EXIT.refused, `Nothing was written: ${reason}.`, { cause })
  }
}
