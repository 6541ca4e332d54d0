const told = document.getElementById("told"), standings = document.getElementById("standings");
const events = new EventSource("watch/events" + location.search);
events.addEventListener("open", () => told.replaceChildren());
events.addEventListener("message", ({ data }) => {
  const news = JSON.parse(data);
  if (news.standings) standings.textContent = news.standings;
  for (const line of news.lines) {
    const item = document.createElement("li");
    item.textContent = line;
    told.append(item);
    item.scrollIntoView({ block: "nearest" });
  }
});
