/** The files of a record, with their sizes; a press saves one. */
import { PaperClipOutlined } from '@ant-design/icons';
import type { Wire } from '@/api/wire';
import { sizeText } from '@/lib/size';

export function Files({ files }: { files: readonly Wire<'ShownFile'>[] }) {
  return (
    <ul className="x-plain">
      {files.map(({ link, name, size }) => (
        <li key={link} className="x-file">
          <PaperClipOutlined />
          <a href={link} download={name}>
            {name}
          </a>
          <span className="x-quiet x-nowrap">{sizeText(size)}</span>
        </li>
      ))}
    </ul>
  );
}
