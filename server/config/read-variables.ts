/** Reads the variables from an environment and from files, and names everything that is wrong with them at once. */

import { variablesOutside } from './feature-variables.ts'
import { describeUnread } from './misspelt-variables.ts'
import { problemOfFile, warningOf } from './private-file.ts'
import { whyUnreadable } from './text-file.ts'
import {
  FILE_NAMES,
  missingText,
  PORT_NAMES,
  PROXY_NAMES,
  ROTATED_NAMES,
  VARIABLE_NAMES,
  Variables,
} from './variables.ts'

import type { FeatureName } from './feature-variables.ts'
import type { Environment } from './variables.ts'

/** What is probably wrong: a variable that nobody reads or that is a mistake, or a file that others may read or change. */
export interface Warning {
  about: 'variables' | 'files'
  text: string
}

/** What is wrong with a missing or invalid variable. */
export interface Problem {
  /** The variable's name, without `_FILE` and `_PREVIOUS`. */
  about: string
  /** A sentence with the rule that is broken, and never a secret's value. */
  text: string
}

/** Adds a problem with a variable. `text` continues the sentence that the variable's name begins. */
export type Refuse = (name: string, text: string) => void

/** The values of the variables that are valid by themselves. The others have problems already. */
export type Valid = ReturnType<typeof readVariables>['valid']
/** The texts of all variables, and of a secret that is replaced both. */
export type Texts = ReturnType<typeof readVariables>['texts']

/** Kubernetes sets NAME_PORT to an address of this form for a Service with this name. */
const SERVICE_LINK = /^(tcp|udp|sctp):\/\//

/** Matches a text in quotes, as an `.env` file may have it, and a process should not. */
const QUOTED = /^(["'])[^"']*\1$/s

/**
 * Reads and validates the variables. The values are `null` if there are problems. `valid` has those without a problem,
 * `texts` all as they are given.
 *
 * @param readFile Returns the text of the file at a path; throws if the file cannot be read.
 * @param features The features of the server. The variables of others are refused.
 */
export function readVariables(
  env: Environment,
  readFile: (path: string) => string,
  features: readonly FeatureName[],
) {
  const problems: Problem[] = []
  const warnings: Warning[] = Object.keys(env).flatMap((name) => {
    const text = textOf(name) === undefined ? null : describeUnread(name)
    return text === null ? [] : [{ about: 'variables' as const, text }]
  })
  for (const name of PORT_NAMES) {
    const address = env[name]?.trim() ?? ''
    if (SERVICE_LINK.test(address)) {
      const text = `${name} is ${address}, which Kubernetes sets for a Service, and counts as not set: enableServiceLinks: false in the Pod keeps such variables away.`
      warnings.push({ about: 'variables', text })
    }
  }

  const texts = Object.fromEntries(
    VARIABLE_NAMES.map((name) => [name, FILE_NAMES.has(name) ? secretsOf(name) : textOf(name)]),
  )
  for (const about of VARIABLE_NAMES) {
    if (QUOTED.test(textOf(about) ?? '')) {
      const text = `${about} is in quotes, which count as a part of it: remove them. (docker run --env-file keeps quotes.)`
      problems.push({ about, text })
    }
  }

  for (const { name, feature } of variablesOutside(features)) {
    if (texts[name] !== undefined) {
      const text = `${name} is read by the feature "${feature}", which this server does not have: remove the variable, or add the feature.`
      problems.push({ about: name, text })
    }
  }

  const { data: values = null, error } = Variables.safeParse(texts, {
    error: ({ input, path = [] }) => (input === undefined ? missingText(String(path[0])) : undefined),
  })
  // Variables in quotes or without a reader, and secrets whose files cannot be read: what else is wrong with their text is not the problem.
  const unreadable = new Set(problems.map(({ about }) => about))
  for (const { path, message } of error?.issues ?? []) {
    const about = String(path[0])
    const index = path[1]
    const text = `${about}${index === 1 ? '_PREVIOUS' : ''} ${message}`
    if (!unreadable.has(about)) {
      problems.push({ about, text })
    }
  }

  const isValid = ([name]: [string, unknown]) => problems.every(({ about }) => about !== name)
  const valid = Variables.partial().parse(Object.fromEntries(Object.entries(texts).filter(isValid)))
  return { values, valid, texts, problems, warnings }

  /** Returns the text of a variable; `undefined` if the text is missing or blank. */
  function textOf(name: string): string | undefined {
    // Some systems write the variables of proxies in lower case, and the others in upper case.
    const given = PROXY_NAMES.includes(name) ? (env[name.toLowerCase()] ?? env[name]) : env[name]
    const text = given?.trim() || undefined
    return PORT_NAMES.has(name) && SERVICE_LINK.test(text ?? '') ? undefined : text
  }

  /** Returns the current value of a secret and, if there is one, the previous value; `undefined` if there is none. */
  function secretsOf(name: string): string[] | undefined {
    const current = secretOf(name, name)
    const previous = ROTATED_NAMES.has(name) ? secretOf(name, `${name}_PREVIOUS`) : undefined
    if (current !== undefined) {
      return previous === undefined ? [current] : [current, previous]
    }
    if (previous !== undefined) {
      problems.push({ about: name, text: `${name}_PREVIOUS is set without ${name}.` })
    }
    return undefined
  }

  /** Returns the text of a variable, or of the file that its variable `_FILE` names. */
  function secretOf(about: string, name: string): string | undefined {
    const path = textOf(`${name}_FILE`)
    if (path === undefined) {
      return textOf(name)
    }

    // A text that does not begin as a path does may be the secret itself, given to the wrong variable.
    const naming = /^([a-z]:)?[/\\.]/i.test(path)
      ? `${name}_FILE names the file ${path}`
      : `${name}_FILE names a file`
    try {
      const secret = readFile(path).trim()
      const problem = problemOfFile(path)
      const warning = warningOf(path)
      if (problem !== null) {
        problems.push({ about, text: `${naming}, which ${problem}.` })
        return undefined
      }
      if (warning !== null) {
        warnings.push({ about: 'files', text: `${naming}, which ${warning}` })
      }
      if (secret !== '') {
        return secret
      }

      problems.push({ about, text: `${naming}, which is empty.` })
    } catch (error) {
      problems.push({ about, text: `${naming}, which cannot be read${whyUnreadable(error)}` })
    }

    return undefined
  }
}
