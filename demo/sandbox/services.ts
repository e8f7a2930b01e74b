import type { Service, ServiceUse } from './merchant.ts'

export interface ServiceEntry {
  readonly service: Service
  isActive: boolean
}

/** The services of a merchant. [spec: What the service does, 3] */
export interface Services {
  list(): readonly ServiceEntry[]
  /** Returns the active service with this use and code. */
  find(use: ServiceUse, code: string): Service | undefined
  entry(code: string): ServiceEntry | undefined
  add(service: Service): void
}

// [assumed] A code names one service of a merchant, whatever its use.
export function createServices(seeded: readonly Service[]): Services {
  const entries = new Map<string, ServiceEntry>()
  const add = (service: Service) =>
    void entries.set(service.code, { service, isActive: !service.isInitiallyOff })
  seeded.forEach(add)
  return {
    list: () => [...entries.values()],
    find(use, code) {
      const found = entries.get(code)
      return found?.isActive && found.service.use === use ? found.service : undefined
    },
    entry: (code) => entries.get(code),
    add,
  }
}
