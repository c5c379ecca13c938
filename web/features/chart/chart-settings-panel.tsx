// Side panel with the six premium toggles; the chart stays visible and usable.
import { Dialog } from '@base-ui/react/dialog'
import { useId, type RefObject } from 'react'
import { chartFlagNames } from '#shared/chart/chart-flags.ts'
import { toggles, type Toggle } from '#shared/chart/toggles.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { Button } from '#web/ui/button.tsx'
import { CloseIcon } from '#web/ui/icon.ts'
import { Switch } from '#web/ui/switch.tsx'
import { useChartFlags } from './use-chart-flags.ts'

export interface ChartSettingsPanelProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Positioned element to whose right edge the panel is aligned. */
  readonly container: RefObject<HTMLElement | null>
}

export function ChartSettingsPanel({ isOpen, onClose, container }: ChartSettingsPanelProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())} modal={false} disablePointerDismissal>
      <Dialog.Portal container={container}>
        <Dialog.Popup className="z-30 flex max-h-[70dvh] w-full flex-col max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 overflow-y-auto border-line bg-surface transition duration-200 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0 max-lg:rounded-t-dialog max-lg:border-t lg:absolute lg:inset-y-0 lg:right-0 lg:max-h-none lg:w-80 lg:border-l">
          <div className="sticky top-0 z-10 flex items-center justify-between border-b border-line bg-surface py-1.5 pr-2 pl-4">
            <div>
              <Dialog.Title className="text-14 font-semibold">{marketText.settingsTitle}</Dialog.Title>
              <Dialog.Description className="text-12 text-text-2">{marketText.settingsNote}</Dialog.Description>
            </div>
            <Dialog.Close
              aria-label={marketText.close}
              className="grid size-7 place-items-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:size-11"
            >
              <CloseIcon aria-hidden className="size-4" strokeWidth={1.5} />
            </Dialog.Close>
          </div>
          <PanelBody />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Mounted only while the panel is open, so that free users never request the toggles. */
function PanelBody() {
  const { flags, hasFailed, retry, set, clear } = useChartFlags()
  if (hasFailed && flags === undefined)
    return (
      <div role="alert" className="grid justify-items-start gap-3 p-4 text-13 text-text-2">
        <p>{marketText.settingsLoadFailed}</p>
        <Button variant="outline" onClick={retry}>
          {marketText.retry}
        </Button>
      </div>
    )
  const isClear = flags === undefined || chartFlagNames.every((name) => !flags[name])
  return (
    <div aria-busy={flags === undefined}>
      <ul>
        {toggles.map((toggle) => (
          <ToggleRow
            key={toggle.flag}
            toggle={toggle}
            isOn={flags?.[toggle.flag] ?? false}
            isReady={flags !== undefined}
            onChange={(isOn) => set(toggle.flag, isOn)}
          />
        ))}
      </ul>
      <div className="grid p-4">
        <Button variant="outline" onClick={clear} aria-disabled={isClear}>
          {marketText.settingsClear}
        </Button>
      </div>
    </div>
  )
}

interface ToggleRowProps {
  readonly toggle: Toggle
  readonly isOn: boolean
  readonly isReady: boolean
  readonly onChange: (isOn: boolean) => void
}

function ToggleRow({ toggle, isOn, isReady, onChange }: ToggleRowProps) {
  const id = useId()
  return (
    <li className="border-b border-line">
      <label htmlFor={`${id}-switch`} className="flex cursor-pointer items-center gap-4 px-4 py-2.5 transition-colors hover:bg-raised">
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span id={`${id}-label`} className="text-12 whitespace-nowrap text-text-3">
              {toggle.label}
            </span>
            <span id={`${id}-name`} className="text-13 font-medium">
              {toggle.name}
            </span>
          </span>
          <span id={`${id}-text`} className="mt-0.5 block text-12 text-pretty text-text-2">
            {toggle.explanation}
          </span>
        </span>
        <Switch
          id={`${id}-switch`}
          isOn={isOn}
          isReady={isReady}
          onChange={onChange}
          labelledBy={`${id}-label`}
          describedBy={`${id}-name ${id}-text`}
        />
      </label>
    </li>
  )
}
