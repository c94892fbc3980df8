/** Files of a form that is only tried: chosen as in earnest, but nothing of them leaves the browser but their names. */
import { CloseOutlined, PaperClipOutlined, UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ChangeEvent, createContext, useContext } from 'react';
import { useTranslation } from '@/i18n';

/** Whether the form is tried: in its preview, and in a dry run. */
export const Tried = createContext(false);

export function useTried(): boolean {
  return useContext(Tried);
}

/** The name, with a number where there is one of it already. */
function fresh(name: string, known: readonly string[]): string {
  const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
  let next = name;
  for (let number = 2; known.includes(next); number++)
    next = `${name.slice(0, dot)} (${number})${name.slice(dot)}`;
  return next;
}

interface TriedFilesProps {
  id?: string;
  value?: readonly string[];
  onChange?: (names: string[]) => void;
  max: number;
  /** Pictures only. */
  pictures: boolean;
  disabled?: boolean;
}

export function TriedFiles({ id, value = [], onChange, max, pictures, disabled }: TriedFilesProps) {
  const { t } = useTranslation();
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const names = [...(event.target.files ?? [])].map(({ name }) => name);
    event.target.value = '';
    const next = [...value];
    for (const name of names.slice(0, max - value.length)) next.push(fresh(name, next));
    onChange?.(next);
  };
  return (
    <div id={id} tabIndex={-1}>
      <FileNames
        names={value}
        remove={disabled ? undefined : (name) => onChange?.(value.filter((other) => other !== name))}
      />
      {!disabled && value.length < max && (
        <label className="x-file-add">
          <UploadOutlined />
          {t(pictures ? 'kit.photos.add' : 'kit.files.add')}
          <input
            className="x-sr"
            type="file"
            accept={pictures ? 'image/*' : undefined}
            multiple={max > 1}
            onChange={choose}
          />
        </label>
      )}
      <div className="x-hint">{t('work.form.tried', { n: max })}</div>
    </div>
  );
}

export function FileNames({ names, remove }: { names: readonly string[]; remove?: (name: string) => void }) {
  const { t } = useTranslation();
  return (
    <ul className="x-plain">
      {names.map((name) => (
        <li key={name} className="x-file">
          <PaperClipOutlined />
          <span>{name}</span>
          {remove && (
            <Button
              type="text"
              size="small"
              icon={<CloseOutlined />}
              aria-label={t('kit.files.remove', { name })}
              onClick={() => remove(name)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
