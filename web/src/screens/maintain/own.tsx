/** Items that the standard does not have, added while the work lasts. */
import { Button, Input } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { CALL, ITEMS } from './queries';
import type { Order, Row } from './work';

interface AddItemProps {
  order: Order;
  /** The new item, and the version that the order has by now. */
  onAdded: (made: Row, version: number | undefined) => void;
}

export function AddItem({ order, onAdded }: AddItemProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const action = useAction({
    run: async () => {
      const { id } = await api.post(`${ITEMS}/submit`, { orderId: order.id, itemName: name.trim() } as never);
      const now = (await api.get(`${CALL}/detail`, { id: order.id })) as Order;
      const made = now.details.find((row) => row.id === id);
      if (made) onAdded(made, now.lockVersion);
      setName('');
    },
  });
  return (
    <div className="x-full x-block">
      <div className="x-upkeep-head">
        <Input
          value={name}
          maxLength={80}
          aria-label={t('maintain.own')}
          placeholder={t('maintain.own')}
          onChange={(event) => setName(event.target.value)}
          onPressEnter={(event) => {
            event.preventDefault();
            if (name.trim()) action.run();
          }}
        />
        <Button disabled={!name.trim()} loading={action.busy} onClick={() => action.run()}>
          {t('maintain.work.add')}
        </Button>
      </div>
      {Boolean(action.error) && <ErrorLine error={action.error} />}
    </div>
  );
}
