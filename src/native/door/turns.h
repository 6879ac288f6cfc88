// The connections on which something has come, in the order in which they are heard: clients in turn, and the connections of each
// in turn.
#pragma once

#include <algorithm>
#include <deque>
#include <list>
#include <string>
#include <unordered_map>

struct Connection;

/** An address, of IPv6 the /64; all connections of a Unix socket are one client. */
struct Client {
  std::deque<Connection *> waiting;
  size_t connections = 0;
  bool isInTurn = false;
};

class Turns {
 public:
  bool empty() const { return clientsInTurn_.empty(); }

  /** Notes a connection of a client. */
  Client *enter(const std::string &address) {
    Client *client = &clients_[address];
    client->connections++;
    return client;
  }

  /** Forgets a connection, whether it waits or not, and the client with its last one. */
  void leave(const std::string &address, Connection *connection) {
    const auto found = clients_.find(address);
    Client &client = found->second;
    const auto at = std::find(client.waiting.begin(), client.waiting.end(), connection);
    if (at != client.waiting.end()) client.waiting.erase(at);
    if (--client.connections > 0) return;
    if (client.isInTurn) clientsInTurn_.remove(&client);
    clients_.erase(found);
  }

  /** The connection comes last of its client. */
  void add(Client *client, Connection *connection) {
    client->waiting.push_back(connection);
    if (!client->isInTurn) clientsInTurn_.push_back(client);
    client->isInTurn = true;
  }

  /** Takes the connection whose turn it is; its client comes last from now on. None waits: nullptr. */
  Connection *next() {
    while (!clientsInTurn_.empty()) {
      Client *client = clientsInTurn_.front();
      clientsInTurn_.pop_front();
      client->isInTurn = false;
      if (client->waiting.empty()) continue;
      Connection *connection = client->waiting.front();
      client->waiting.pop_front();
      client->isInTurn = !client->waiting.empty();
      if (client->isInTurn) clientsInTurn_.push_back(client);
      return connection;
    }
    return nullptr;
  }

 private:
  std::unordered_map<std::string, Client> clients_;
  std::list<Client *> clientsInTurn_;
};
