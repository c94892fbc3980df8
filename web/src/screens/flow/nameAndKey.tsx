/** A model in a list: its name, and the key that stays when the name changes. */
export const nameAndKey = ({ name, key }: { name: string; key: string }) => (
  <>
    {name}
    <div className="x-quiet">{key}</div>
  </>
);
