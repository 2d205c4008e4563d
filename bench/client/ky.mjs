import ky from "ky";

export default ({ baseUrl, token, fetch }) => {
  const api = ky.create({ headers: { authorization: `Bearer ${token}` }, ...(fetch && { fetch }) });
  return (plant) => api.post(`${baseUrl}/plants`, { json: plant }).json();
};
