/** Reads SCRIPT_SIGNATURES, the signatures of the widget's scripts. The command `script sign` writes them. */

import type { Variables } from './environment.ts'
import { z } from 'zod'

const Signatures = z.object({
  /** The value of the attribute `integrity` on the script tag: "ed25519-" and the public key in base64. */
  integrity: z.string().regex(/^ed25519-[A-Za-z0-9+/]{43}=$/),
  /** The Ed25519 signatures in base64, by the name of the script. */
  signatures: z.record(z.string(), z.string().regex(/^[A-Za-z0-9+/]{86}==$/)),
})

export type ScriptSignatures = z.output<typeof Signatures>

/** Returns the signatures of scripts; `null` if SCRIPT_SIGNATURES is not set, which serves the scripts unsigned. */
export function readScriptSignatures(variables: Variables): ScriptSignatures | null {
  const rule = 'what "gateway-checkout-server script sign" has written'
  const isReadable = (text: string) => parse(text) !== null
  const [text] = variables.optionalSecrets('SCRIPT_SIGNATURES', isReadable, rule) ?? []
  return text === undefined ? null : parse(text.reveal())
}

function parse(text: string): ScriptSignatures | null {
  try {
    return Signatures.parse(JSON.parse(text))
  } catch {
    return null
  }
}
