// What a page of the portal is: what it shows, its forms, and the visit to which it is shown.

import { z } from 'zod'

import type { Roles } from '../users/roles.ts'
import type { User } from '../users/users.ts'
import type { World } from '../world.ts'
import type { Zone } from './zone.ts'
import type { Child } from 'hono/jsx'

/** The headings of the navigation, in its order. The overview stands before the first heading. */
export const GROUPS = ['', 'Money', 'Settings', 'Business'] as const

/** What a page shows, and its forms. */
export interface Content {
  /** `null` if what the address names does not exist. */
  readonly show: (visit: View) => Child
  readonly forms?: Readonly<Record<string, PortalForm>>
}

/**
 * A page of the portal. Its forms are sent to its own address and their name: the form `revoke` of the page `/keys` to
 * `/portal/keys/revoke`.
 */
export interface Page extends Content {
  /** Below `/portal`, with parameters such as `/services/:code`. */
  readonly path: string
  readonly title: string
  /** The roles that may see the page. */
  readonly roles: Roles
  /** Where the navigation has the page; `undefined` for a page that other pages lead to. */
  readonly group: (typeof GROUPS)[number] | undefined
}

interface OfItem<Item> {
  readonly find: (visit: Visit) => Item | undefined
  readonly show: (item: Item, visit: View) => Child
  readonly forms?: Readonly<Record<string, PortalForm<Item>>>
}

/** Returns the content of a page about one item, such as a key or a payment, which the address names. */
export function itemContent<Item>({ find, show, forms = {} }: OfItem<Item>): Content {
  const withItem = <Result>(visit: Visit, use: (item: Item) => Result) => {
    const item = find(visit)
    return item === undefined ? null : use(item)
  }

  const ofItem = (form: PortalForm<Item>): PortalForm => ({
    ...form,
    send: (visit, typed) => withItem(visit, (item) => form.send(visit, typed, item)),
  })
  return {
    show: (visit) => withItem(visit, (item) => show(item, visit)),
    forms: Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, ofItem(form)])),
  }
}

/** One request of a signed-in user to a page or one of its forms. */
export interface Visit {
  readonly world: World
  readonly user: User
  /** The path of the page's address, with `/portal` and without the query. */
  readonly address: string
  readonly title: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  readonly zone: Zone
  readonly may: (roles: Roles) => boolean
}

/** A visit to which a page is shown. */
export interface View extends Visit {
  /**
   * Returns the card of a form: if it was refused, with what was typed and the problems; otherwise with `values`;
   * `null` if the user may not send it.
   *
   * @throws {RangeError} if the page has no form of that name.
   */
  readonly showForm: (name: string, shown?: ShownForm) => Child
  /** Returns the card of the secret that a form of this user created for a key or a user, the first time only. */
  readonly showSecret: (owner: string, title: string) => Child
}

export interface ShownForm {
  /** Default: the text of the button, if the form has fields. */
  readonly title?: string
  /** Beside the title of the form. */
  readonly tag?: Child
  readonly values?: Readonly<Record<string, string | null>>
}

/** By the name of the field: what is wrong with it, as a sentence. */
export type Problems = Readonly<Record<string, string>>

/** What became of a form that was sent; `null` if what the form is about does not exist. */
export type FormResult =
  | { kind: 'refused'; problems: Problems }
  | ({ kind: 'done'; notice: string } & NextPage)
  | null

interface NextPage {
  /** The path of the page that follows, below `/portal`. Default: the same page. */
  readonly to?: string
  /** Shown once, by {@link View.showSecret}. */
  readonly secret?: { readonly owner: string; readonly value: string }
}

/** A form of a page. `formCard` draws it, and the portal's routes send it. */
export interface PortalForm<Item = undefined, Fields = z.core.$ZodLooseShape, Values = Texts> {
  readonly roles: Roles
  /** The text of the button. */
  readonly submit: string
  /** A sentence about the form. */
  readonly about?: string
  /** `danger` for what cannot be undone, `quiet` for what is beside a louder button. */
  readonly button?: 'quiet' | 'danger'
  /**
   * The schemas of the fields, which are texts; a missing field is the empty text. A schema in the registry `LOOKS` is
   * shown; any other is a hidden field. Each rule has a message of its own, a sentence that starts with the label of
   * the field.
   */
  readonly fields: Fields
  readonly send: (visit: Visit, values: Values, item: Item) => FormResult
}

type Texts = Readonly<Record<string, string>>

/** Returns the form with a `send` that reads what was typed: `form.send` gets what the schemas make of it. */
export function declareForm<Fields extends z.core.$ZodLooseShape, Item = undefined>(
  form: PortalForm<Item, Fields, z.output<z.ZodObject<Fields>>>,
): PortalForm<Item> {
  const schema = z.object(form.fields)
  return {
    ...form,
    send(visit, typed, item) {
      const { data, error } = schema.safeParse(typed)
      if (!error) {
        return form.send(visit, data, item)
      }

      // The first problem of each field is enough.
      const problems: Record<string, string> = {}
      for (const { path, message } of error.issues) {
        problems[String(path[0])] ??= message
      }

      return { kind: 'refused', problems }
    },
  }
}

/** @param problem A sentence that starts with the label of the field. */
export function refused(field: string, problem: string): FormResult {
  return { kind: 'refused', problems: { [field]: problem } }
}

/** @param notice A sentence that the next page shows once. */
export function done(notice: string, next: NextPage = {}): FormResult {
  return { kind: 'done', notice, ...next }
}

/** Returns the path of an item below the path of its list, such as `/keys/sandbox-key`. */
export function pathIn(list: string, ...names: readonly string[]): string {
  return [list, ...names.map(encodeURIComponent)].join('/')
}
