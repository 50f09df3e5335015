import { ActionIcon, Menu } from '@mantine/core'
import { Download, FileSpreadsheet, Image } from 'lucide-react'
import { download, downloadPng } from '../../api/download.ts'
import { Icon } from '../display/Icon.tsx'
import { toast } from '../display/toast.tsx'
import { start } from '../list/acts.tsx'
import { csvOf, type Figures } from './csv.ts'

interface DownloadMenuProps {
  /** The subject of the chart, also used as the file names. */
  title: string
  figures: Figures
  /** The chart for saving, on its own background; null while a table replaces it. */
  picture: (() => HTMLCanvasElement | null) | null
}

/** The menu of a chart: download the chart itself, or its figures. */
export function DownloadMenu({ title, figures, picture }: DownloadMenuProps) {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  const announce = (file: string) => toast(`${file} downloaded`)
  const png = async () => {
    const canvas = picture?.()
    if (!canvas) throw new Error('The picture is not drawn yet.')
    await downloadPng(`${name}.png`, canvas)
    announce(`${name}.png`)
  }
  const csv = () => {
    download(`${name}.csv`, csvOf(figures))
    announce(`${name}.csv`)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`Download “${title}”`} title="Download">
          <Icon of={Download} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {picture ? (
          <Menu.Item leftSection={<Icon of={Image} />} onClick={() => start({ run: png })}>
            Picture (PNG)
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<Icon of={FileSpreadsheet} />} onClick={csv}>
          Figures (CSV)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
