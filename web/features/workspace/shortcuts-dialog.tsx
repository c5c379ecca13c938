// List of the keys of the chart screen.
import { shortcutsText as text } from '#shared/chart/text/en-shortcuts.ts'
import { Dialog } from '#web/ui/dialog.tsx'

export interface ShortcutsDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ShortcutsDialog({ isOpen, onClose }: ShortcutsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={text.title} description={text.intro} widthClass="max-w-lg">
      {text.groups.map(({ title, keys }) => (
        <section key={title} className="not-first:mt-4">
          <h3 className="pb-1 text-12 font-semibold text-text-2">{title}</h3>
          <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1.5 text-13">
            {keys.map(([names, act]) => (
              <div key={names} className="contents">
                <dt className="font-medium whitespace-nowrap max-sm:whitespace-normal">{names}</dt>
                <dd className="text-text-2">{act}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
