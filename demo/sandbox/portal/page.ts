import type { Child } from 'hono/jsx'
import type { z } from 'zod'
import type { Simulation, World } from '../world.ts'
import type { FormState, Problems } from './form.tsx'
import type { Roles } from '../accounts/roles.ts'
import type { User } from '../accounts/users.ts'

export const GROUPS = ['Money', 'Settings', 'Business'] as const

/**
 * A page of the portal. Its forms are sent to its own address and their name: the form `revoke` of the page `/keys` to
 * `/portal/keys/revoke`.
 */
export interface Page {
  /** Below `/portal`, with parameters such as `/services/:code`. */
  readonly path: string
  readonly title: string
  /** The entry in the navigation; absent for a page that other pages lead to. */
  readonly entry?: { readonly group: (typeof GROUPS)[number] | null; readonly label: string }
  /** The roles that may see the page. */
  readonly roles: Roles
  /**
   * Returns the content of the page; `null` if what the address names does not exist. A component that returns `null` is
   * a page without content.
   */
  readonly show: (visit: Visit) => Child
  readonly forms?: Readonly<Record<string, PortalForm>>
}

/** One request of a signed-in user to a page or one of its forms. */
export interface Visit {
  readonly simulation: Simulation
  readonly world: World
  readonly user: User
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  /** Whether the user may send forms of these roles. Forms that a user may not send are not shown. */
  may(roles: Roles): boolean
  /** Returns the form of this page with that name, as it is shown: empty, or refused with what was typed. */
  form(name: string): FormState
  /** Returns the secret that a form of this user created for `of`, the first time only; otherwise `null`. */
  takeSecret(of: string): string | null
}

export type Outcome =
  | { problems: Problems }
  /**
   * `to` is the path below `/portal` of the page that follows; default: the same page. `notice` is shown there, once.
   * The page that follows may show `secret`, once.
   */
  | { to?: string; notice: string; secret?: { of: string; value: string } }

export interface PortalForm {
  readonly roles: Roles
  /** The names of the fields. */
  readonly fields: readonly string[]
  readonly submit: (visit: Visit, typed: Readonly<Record<string, string>>) => Outcome | Promise<Outcome>
}

/**
 * Declares a form.
 *
 * @param fields The schema of the fields, which are texts; a missing field is the empty text. Each rule has a message
 *   of its own, a sentence that starts with the label of the field.
 */
export function form<Fields extends z.core.$ZodLooseShape>(
  roles: Roles,
  fields: z.ZodObject<Fields>,
  submit: (visit: Visit, values: z.output<z.ZodObject<Fields>>) => Outcome | Promise<Outcome>,
): PortalForm {
  return {
    roles,
    fields: Object.keys(fields.shape),
    submit(visit, typed) {
      const parsed = fields.safeParse(typed)
      return parsed.success ? submit(visit, parsed.data) : { problems: problemsIn(parsed.error) }
    },
  }
}

export function refused(field: string, problem: string): Outcome {
  return { problems: { [field]: problem } }
}

// The first problem of each field is enough.
function problemsIn({ issues }: z.ZodError): Problems {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [String(path[0]), message]))
}
