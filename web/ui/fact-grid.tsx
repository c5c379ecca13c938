// Named figures side by side.

export interface Fact {
  readonly name: string
  readonly value: string
  readonly isWrong?: boolean
}

interface FactGridProps {
  readonly facts: readonly Fact[]
  readonly columns: 3 | 4
}

const columnsClass = { 3: 'lg:grid-cols-3', 4: 'lg:grid-cols-4' } as const

export function FactGrid({ facts, columns }: FactGridProps) {
  return (
    <ul className={`grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line ${columnsClass[columns]}`}>
      {facts.map(({ name, value, isWrong = false }) => (
        <li key={name} className="flex min-h-16 flex-col justify-center bg-surface px-4 py-2">
          <span className="text-12 text-text-2">{name}</span>
          <span className={`text-16 font-semibold tracking-tight tabular-nums ${isWrong ? 'text-danger' : ''}`}>{value}</span>
        </li>
      ))}
    </ul>
  )
}
