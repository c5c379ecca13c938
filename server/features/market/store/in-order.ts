// Work of one name in the order in which it was asked for, one after the other; other names are not waited for.

/** Gives `run(name, work)`: resolves and rejects as the work does; a failure does not stop what waits behind it. */
export function inOrder(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const lasts = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const result = (lasts.get(name) ?? Promise.resolve()).then(work, work)
    lasts.set(name, result)
    const forget = (): void => {
      if (lasts.get(name) === result) lasts.delete(name)
    }
    result.then(forget, forget)
    return result
  }
}
