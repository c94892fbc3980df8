/** A person's own views of a list: its filters and order under a name, kept on the server, one of them shown first. */
import { DeleteOutlined, EditOutlined, StarFilled, StarOutlined, TagsOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, Popover } from 'antd';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ErrorLine } from './states';
import { useAction } from './useAction';

type View = Wire<'SavedView'>;

/** As long as the server keeps. */
const MOST = 40;

/** What a view keeps of the address: not which page, nor how long one is. */
function kept(params: URLSearchParams): string {
  const query = new URLSearchParams(params);
  for (const name of ['current', 'size']) query.delete(name);
  query.sort();
  return query.toString();
}

const same = (view: View, query: string) => kept(new URLSearchParams(view.query)) === query;

export function SavedViews({ list, narrow }: { list: string; narrow?: boolean }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const key = ['views', list];
  const { data: views = [] } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get('/blade-desk/view/mine', { listName: list }, signal),
    staleTime: 60_000,
  });
  const [open, setOpen] = useState(false);
  const [renamed, setRenamed] = useState<View>();
  const [name, setName] = useState('');
  const query = kept(params);
  const current = query === '' ? undefined : views.find((view) => same(view, query));
  const show = (view: View) => setParams(new URLSearchParams(view.query), { replace: true });

  // Once, and only where the address asks for nothing.
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current || views.length === 0) return;
    begun.current = true;
    const first = views.find(({ isDefault }) => isDefault === 1);
    if (first && params.size === 0) setParams(new URLSearchParams(first.query), { replace: true });
  }, [views, params, setParams]);

  const save = useAction<Partial<View>>({
    run: (view) => api.post('/blade-desk/view/submit', { listName: list, name: '', ...view }),
    invalidates: [key],
    onDone: () => {
      setName('');
      setRenamed(undefined);
    },
  });
  const remove = useAction<View>({
    run: ({ id }) => api.post('/blade-desk/view/remove', undefined, { id }),
    invalidates: [key],
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === '') return;
    save.run(renamed ? { ...renamed, name: wanted } : { name: wanted, query });
  };

  const panel = (
    <div className="x-views">
      {views.length === 0 && <p className="x-quiet">{t('kit.views.none')}</p>}
      <ul className="x-plain">
        {views.map((view) => (
          <li key={view.id}>
            <Button
              type={view === current ? 'link' : 'text'}
              size="small"
              className="x-views-name"
              aria-pressed={view === current}
              onClick={() => {
                show(view);
                setOpen(false);
              }}
            >
              {view.name}
            </Button>
            <Button
              type="text"
              size="small"
              icon={view.isDefault === 1 ? <StarFilled /> : <StarOutlined />}
              aria-pressed={view.isDefault === 1}
              aria-label={t('kit.views.first', { name: view.name })}
              title={t('kit.views.first', { name: view.name })}
              onClick={() => save.run({ ...view, isDefault: view.isDefault === 1 ? 0 : 1 })}
            />
            <Button
              type="text"
              size="small"
              icon={<EditOutlined />}
              aria-label={t('kit.views.rename', { name: view.name })}
              title={t('kit.views.rename', { name: view.name })}
              onClick={() => {
                setRenamed(view);
                setName(view.name);
              }}
            />
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={t('kit.views.remove', { name: view.name })}
              title={t('kit.views.remove', { name: view.name })}
              onClick={() => remove.run(view)}
            />
          </li>
        ))}
      </ul>
      {(query !== '' || renamed) && (
        <form onSubmit={onSubmit}>
          <Input
            size="small"
            maxLength={MOST}
            aria-label={t('kit.views.name')}
            placeholder={t('kit.views.name')}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button
            size="small"
            type="primary"
            htmlType="submit"
            loading={save.busy}
            disabled={name.trim() === ''}
          >
            {renamed ? t('kit.save') : t('kit.views.add')}
          </Button>
        </form>
      )}
      {query === '' && !renamed && <p className="x-quiet">{t('kit.views.hint')}</p>}
      <ErrorLine error={save.error ?? remove.error} />
    </div>
  );
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={(now) => {
        setOpen(now);
        setRenamed(undefined);
        setName('');
        save.reset();
      }}
      content={panel}
    >
      <Button icon={<TagsOutlined />} aria-label={t('kit.views.open')} title={t('kit.views.open')}>
        {narrow ? undefined : (current?.name ?? t('kit.views.title'))}
      </Button>
    </Popover>
  );
}
