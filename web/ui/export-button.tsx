// Button of a filter bar that saves what the bar selects.
import { Button, type ButtonProps } from './button.tsx'
import { DownloadIcon } from './icon.ts'

export function ExportButton(props: Pick<ButtonProps, 'children' | 'isBusy' | 'onClick'>) {
  const icon = <DownloadIcon aria-hidden className="size-3.5" strokeWidth={1.75} />
  return <Button {...props} variant="outline" className="ml-auto" icon={icon} />
}
