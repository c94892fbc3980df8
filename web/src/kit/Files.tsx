/** The files of a record, with their sizes where they are known; a press saves one. */
import { PaperClipOutlined } from '@ant-design/icons';
import type { Wire } from '@/api/wire';
import { sizeText } from '@/lib/size';

type ShownFile = Pick<Wire<'ShownFile'>, 'link' | 'name'> & { size?: number };

export function Files({ files }: { files: readonly ShownFile[] }) {
  return (
    <ul className="x-plain">
      {files.map(({ link, name, size }) => (
        <li key={link} className="x-file">
          <PaperClipOutlined />
          <a href={link} download={name}>
            {name}
          </a>
          {size !== undefined && <span className="x-quiet x-nowrap">{sizeText(size)}</span>}
        </li>
      ))}
    </ul>
  );
}
