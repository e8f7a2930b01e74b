/** Why the store, or a call of it, fails. */

/** Thrown if the store cannot be used. The method that failed has made either all of its changes or none. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** Thrown if the store is away or cannot work at present. A later attempt may succeed with the same configuration. */
export class StoreAwayError extends StoreError {}

/** Thrown if the store has the transactions of another merchant than the configured one. */
export class OtherMerchantError extends StoreError {}

/** The references of the transactions for which payments count, by the id of the payment as it is compared. */
export type CountedElsewhere = ReadonlyMap<string, string>

/** Thrown if a commit would count payments that count for other transactions of the account. Nothing is changed. */
export class CountedElsewhereError extends Error {
  override readonly name = 'CountedElsewhereError'
  readonly elsewhere: CountedElsewhere

  constructor(elsewhere: CountedElsewhere) {
    super(`Payments count for other transactions: ${[...elsewhere.values()].join(', ')}.`)
    this.elsewhere = elsewhere
  }
}

/** Thrown if another server process uses the SQLite file, which serves one at a time. */
export class StoreInUseError extends Error {}

/** Thrown if neither Node nor an installed package can open SQLite files. */
export class NoDriverError extends Error {}

/** Thrown if a command would create the store. Only a server creates one, so that a wrong STORE_URL is noticed. */
export class NoStoreError extends Error {
  constructor(place: string) {
    super(
      `There is no store at ${place}: start the server first, which creates it. If it has run, is STORE_URL right, and is this its working directory?`,
    )
  }
}
