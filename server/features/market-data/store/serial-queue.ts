// Serial queue per name: tasks run one after the other; other names are not blocked.

/** Returns `run(name, work)`: settles as the work does; a failure does not stop the queue. */
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
